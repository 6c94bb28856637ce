//! Catching panics, with their text and place; and knowing whose code holds a thread.
//!
//! Whatever a behaviour wrote runs inside [`Watch::run`]: its handlers, each poll of its futures, and its destructors.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::pin::Pin;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use crate::answer::LocalFuture;

thread_local! {
    static WATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<Option<PanicNote>> = const { RefCell::new(None) };
}

/// What is known about a caught panic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PanicNote {
    pub(crate) text: String,
    /// `file:line:column`; missing only when another panic hook was installed over ours.
    pub(crate) place: Option<String>,
}

/// Makes panics inside a watch leave a note instead of a message on standard error; the bus logs them with the actor's
/// name. All other panics go to the hook that was there before; so do these when backtraces are asked for, as it prints them.
pub(crate) fn install_panic_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let backtraces = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let watching = WATCHING.try_with(Cell::get).unwrap_or(false);
            if watching {
                leave_note(info);
            }
            if !watching || backtraces {
                previous(info);
            }
        }));
    });
}

fn leave_note(info: &PanicHookInfo<'_>) {
    let note = PanicNote { text: text_of(info.payload()), place: info.location().map(ToString::to_string) };
    // A thread whose locals are gone already loses the note, and the payload's text remains.
    let _ = LAST_PANIC.try_with(|last| last.replace(Some(note)));
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => "a panic without a text".to_owned(),
    }
}

/// One actor's mark on the thread it runs on.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    on_thread: AtomicBool,
}

impl Watch {
    /// Whether the actor's code is on its thread at this moment. If that thread answers nobody, this actor blocks it.
    pub(crate) fn is_on_thread(&self) -> bool {
        self.on_thread.load(Ordering::Relaxed)
    }

    /// Runs the actor's code, and turns a panic into a note.
    ///
    /// The value the code worked on may be half changed afterwards; whoever calls this drops it.
    pub(crate) fn run<T>(&self, code: impl FnOnce() -> T) -> Result<T, PanicNote> {
        let outer = WATCHING.replace(true);
        self.on_thread.store(true, Ordering::Relaxed);
        let result = catch_unwind(AssertUnwindSafe(code));
        self.on_thread.store(false, Ordering::Relaxed);
        WATCHING.set(outer);
        result.map_err(|payload| {
            let note = LAST_PANIC.take().unwrap_or_else(|| PanicNote { text: text_of(&*payload), place: None });
            // A payload may be any value, and one whose destructor panics would escape from here.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
            note
        })
    }
}

/// Who has a watch.
pub(crate) trait Watchful {
    fn watch(&self) -> &Watch;
}

/// An actor's future, polled and dropped under its watch.
pub(crate) struct Watched<T, W: Watchful> {
    owner: W,
    future: Option<LocalFuture<T>>,
}

impl<T, W: Watchful> Watched<T, W> {
    pub(crate) fn new(owner: W, future: LocalFuture<T>) -> Self {
        Self { owner, future: Some(future) }
    }
}

impl<T, W: Watchful + Unpin> Future for Watched<T, W> {
    type Output = Result<T, PanicNote>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(future) = this.future.as_mut() else { return Poll::Pending };
        match this.owner.watch().run(|| future.as_mut().poll(context)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(note) => Poll::Ready(Err(note)),
        }
    }
}

impl<T, W: Watchful> Drop for Watched<T, W> {
    fn drop(&mut self) {
        let Some(future) = self.future.take() else { return };
        if let Err(note) = self.owner.watch().run(|| drop(future)) {
            tracing::error!(text = note.text, place = note.place, "a future of an actor panicked while it was dropped");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_noted_with_its_text_and_place() {
        install_panic_hook();
        let watch = Watch::default();

        let note = watch.run(|| panic!("the {} broke", "link")).unwrap_err();

        assert_eq!(note.text, "the link broke");
        assert!(note.place.unwrap().contains("watch.rs:"));
        assert!(!watch.is_on_thread());
    }

    #[test]
    fn a_payload_that_panics_when_dropped_does_not_escape() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("and again");
            }
        }

        let note = Watch::default().run(|| std::panic::panic_any(Bomb)).unwrap_err();

        assert_eq!(note.text, "a panic without a text");
    }

    #[test]
    fn code_is_marked_as_on_its_thread_only_while_it_runs() {
        let watch = Watch::default();

        assert_eq!(watch.run(|| watch.is_on_thread()), Ok(true));
        assert!(!watch.is_on_thread());
    }
}
