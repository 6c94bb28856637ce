//! Whose turn it is to write to the TV: first come, first served.
//!
//! Most commands hold their turn only while their frame is written. One that takes several frames, such as a key pressed five times,
//! holds it to its end, so that nobody else's press comes in between.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use tokio::sync::oneshot;

/// The line in front of one TV. Lives on its actor's thread.
#[derive(Clone, Default)]
pub(super) struct Turns {
    line: Rc<RefCell<Line>>,
}

#[derive(Default)]
struct Line {
    taken: bool,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

/// A place in the line.
pub(super) enum Place {
    First(Turn),
    Behind(oneshot::Receiver<Turn>),
}

/// The right to write. The next in line has it when this is dropped.
pub(super) struct Turn {
    /// `None` once it was passed on.
    turns: Option<Turns>,
}

impl Turns {
    /// Takes the last place in the line. Giving the place up is dropping it.
    pub(super) fn line_up(&self) -> Place {
        let mut line = self.line.borrow_mut();
        if line.taken {
            let (give, take) = oneshot::channel();
            line.waiting.push_back(give);
            return Place::Behind(take);
        }
        line.taken = true;
        Place::First(Turn { turns: Some(self.clone()) })
    }

    fn pass_on(&self) {
        loop {
            let next = self.line.borrow_mut().waiting.pop_front();
            let Some(next) = next else { break };
            let Err(mut unwanted) = next.send(Turn { turns: Some(self.clone()) }) else { return };
            // Whoever waited has gone. Taken apart here, or dropping it would come back to this loop from inside.
            unwanted.turns = None;
        }
        self.line.borrow_mut().taken = false;
    }
}

impl Place {
    /// Waits until it is this place's turn. `None` when the line was closed, because its actor has gone.
    pub(super) async fn reached(self) -> Option<Turn> {
        match self {
            Place::First(turn) => Some(turn),
            Place::Behind(turn) => turn.await.ok(),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.turns.take() {
            turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn is_reached(place: Place) -> Option<Turn> {
        place.reached().now_or_never().flatten()
    }

    #[test]
    fn turns_are_given_in_the_order_of_the_line() {
        let turns = Turns::default();
        let first = is_reached(turns.line_up()).unwrap();
        let mut second = turns.line_up();
        let third = turns.line_up();
        let Place::Behind(waiting) = &mut second else { panic!("the line is taken") };
        assert!(waiting.try_recv().is_err());
        drop(first);
        let second = is_reached(second).unwrap();
        drop(second);
        assert!(is_reached(third).is_some());
    }

    #[test]
    fn who_has_gone_is_passed_over() {
        let turns = Turns::default();
        let first = is_reached(turns.line_up());
        let gone = [turns.line_up(), turns.line_up()];
        let last = turns.line_up();
        drop(gone);
        drop(first);
        assert!(is_reached(last).is_some());
    }

    #[test]
    fn who_goes_after_being_called_up_passes_the_turn_on() {
        let turns = Turns::default();
        let first = is_reached(turns.line_up());
        let called_up = turns.line_up();
        let last = turns.line_up();
        drop(first);
        drop(called_up);
        assert!(is_reached(last).is_some());
    }

    #[test]
    fn a_free_line_is_free_again_after_everybody_left() {
        let turns = Turns::default();
        drop(is_reached(turns.line_up()));
        assert!(matches!(turns.line_up(), Place::First(_)));
    }
}
