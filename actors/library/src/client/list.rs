//! Lists of any length, read while they come and in constant memory.
//!
//! A library of ten thousand films is 46 MB of JSON. Its bytes are cut into elements as they arrive, and each batch is read on a thread where
//! the work holds nobody up, while the next one is on its way.

mod splitter;

use bytes::Bytes;
use playhouse_upstream::Sink;
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;

pub(crate) use splitter::ListFault;
use splitter::Splitter;

/// How much is read as one batch. Large enough that handing it over costs nothing beside reading it.
const BATCH_BYTES: usize = 256 * 1024;

/// A list as a whole that is not longer is read where it is: another thread would cost more than it saves.
const SMALL_BYTES: usize = 16 * 1024;

/// Takes the bytes of a list and gives its elements to `each`.
pub(crate) struct ListSink<T, Each> {
    each: Each,
    gathered: Vec<u8>,
    /// `None` while a batch is being read, which has it.
    splitter: Option<Splitter>,
    reading: Option<JoinHandle<Batch<T>>>,
    n_skipped: usize,
    fault: Option<ListFault>,
}

/// One batch, read.
struct Batch<T> {
    splitter: Splitter,
    items: Vec<T>,
    n_skipped: usize,
    fault: Option<ListFault>,
}

impl<T: DeserializeOwned + Send + 'static, Each: FnMut(T) + Send> ListSink<T, Each> {
    pub(crate) fn new(each: Each) -> Self {
        Self {
            each,
            gathered: Vec::new(),
            splitter: Some(Splitter::default()),
            reading: None,
            n_skipped: 0,
            fault: None,
        }
    }

    /// Reads what is left, and answers how many elements could not be read.
    pub(crate) async fn finish(mut self) -> Result<usize, ListFault> {
        if self.gathered.len() <= SMALL_BYTES
            && let Some(splitter) = self.splitter.take()
        {
            let bytes = std::mem::take(&mut self.gathered);
            self.deliver(read(splitter, &bytes));
        } else {
            self.hand_over().await;
            self.wait().await;
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let splitter = self.splitter.take().ok_or(ListFault::Unreadable)?;
        // An envelope is held to its end, however long it is.
        let rest = if splitter.n_held() <= SMALL_BYTES {
            read_rest(splitter)
        } else {
            let reading = tokio::task::spawn_blocking(move || read_rest(splitter));
            // An error: it panicked, or the process is ending.
            reading.await.unwrap_or(Err(ListFault::Unreadable))
        };
        let (items, n_skipped) = rest?;
        items.into_iter().for_each(&mut self.each);
        Ok(self.n_skipped + n_skipped)
    }

    /// Starts reading what was gathered, once the batch before is done.
    async fn hand_over(&mut self) {
        self.wait().await;
        let bytes = std::mem::take(&mut self.gathered);
        if self.fault.is_some() {
            return;
        }
        if let Some(splitter) = self.splitter.take() {
            self.reading = Some(tokio::task::spawn_blocking(move || read(splitter, &bytes)));
        }
    }

    async fn wait(&mut self) {
        let Some(reading) = self.reading.take() else { return };
        match reading.await {
            Ok(batch) => self.deliver(batch),
            // It panicked, or the process is ending.
            Err(_) => self.fault = Some(ListFault::Unreadable),
        }
    }

    fn deliver(&mut self, batch: Batch<T>) {
        batch.items.into_iter().for_each(&mut self.each);
        self.n_skipped += batch.n_skipped;
        self.fault = batch.fault;
        self.splitter = Some(batch.splitter);
    }
}

impl<T: DeserializeOwned + Send + 'static, Each: FnMut(T) + Send> Sink for ListSink<T, Each> {
    async fn take(&mut self, piece: Bytes) {
        self.gathered.extend_from_slice(&piece);
        if self.gathered.len() >= BATCH_BYTES {
            self.hand_over().await;
        }
    }
}

fn read<T: DeserializeOwned>(mut splitter: Splitter, bytes: &[u8]) -> Batch<T> {
    let mut items = Vec::new();
    let mut n_skipped = 0;
    let outcome = splitter.feed(bytes, |element| {
        n_skipped += usize::from(!give(element, &mut |item| items.push(item)));
    });
    Batch { splitter, items, n_skipped, fault: outcome.err() }
}

/// What is given out at the end of the body, and how many elements of it could not be read.
fn read_rest<T: DeserializeOwned>(splitter: Splitter) -> Result<(Vec<T>, usize), ListFault> {
    let mut items = Vec::new();
    let mut n_skipped = 0;
    splitter.finish(|element| n_skipped += usize::from(!give(element, &mut |item| items.push(item))))?;
    Ok((items, n_skipped))
}

/// Gives an element to `each`; `false` when it is of another shape.
fn give<T: DeserializeOwned>(element: &[u8], each: &mut impl FnMut(T)) -> bool {
    serde_json::from_slice(element).map(each).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::wire::Movie;
    use super::*;

    async fn read_in_pieces(json: &str, piece: usize) -> (Vec<i64>, Result<usize, ListFault>) {
        let mut ids = Vec::new();
        let mut sink = ListSink::new(|movie: Movie| ids.push(movie.id));
        for piece in json.as_bytes().chunks(piece) {
            sink.take(Bytes::copy_from_slice(piece)).await;
        }
        let outcome = sink.finish().await;
        (ids, outcome)
    }

    #[tokio::test]
    async fn a_long_list_is_read_in_batches_and_in_order() {
        let film = |id: usize| format!(r#"{{"id":{id},"title":"Film, \"[{id}]\"","overview":"{}"}}"#, "x".repeat(400));
        let json = format!("[\n  {}\n]", (1..=5_000).map(film).collect::<Vec<_>>().join(",\n  "));

        let (ids, outcome) = read_in_pieces(&json, 10_007).await;

        assert_eq!(outcome, Ok(0));
        assert!(ids.iter().copied().eq(1..=5_000), "{} films", ids.len());
    }

    /// On which thread it was read.
    struct ReadOn(std::thread::ThreadId);

    impl<'de> serde::Deserialize<'de> for ReadOn {
        fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
            serde::de::IgnoredAny::deserialize(input).map(|_| Self(std::thread::current().id()))
        }
    }

    #[tokio::test]
    async fn a_long_list_is_read_beside_this_thread_in_an_envelope_too() {
        let records = vec![format!("\"{}\"", "x".repeat(1_000)); 40].join(",");
        for json in [format!("[{records}]"), format!("{{\"records\":[{records}]}}")] {
            let mut threads = Vec::new();
            let mut sink = ListSink::new(|ReadOn(thread)| threads.push(thread));
            sink.take(Bytes::from(json)).await;
            assert_eq!(sink.finish().await, Ok(0));
            let here = std::thread::current().id();
            assert!(threads.len() == 40 && threads.iter().all(|thread| *thread != here), "{}", threads.len());
        }
    }

    #[tokio::test]
    async fn element_352_of_another_shape_leaves_the_others() {
        let film = |id: usize| if id == 352 { "\"odd\"".to_owned() } else { format!(r#"{{"id":{id}}}"#) };
        let json = format!("[{}]", (1..=1_000).map(film).collect::<Vec<_>>().join(","));

        let (ids, outcome) = read_in_pieces(&json, 64 * 1024).await;

        assert_eq!((ids.len(), outcome), (999, Ok(1)));
    }

    #[tokio::test]
    async fn half_a_list_is_an_error_and_no_shorter_list() {
        for (json, fault) in [
            (r#"[{"id":1},{"id":2"#, ListFault::CutOff),
            (r#"[{"id":1},"#, ListFault::CutOff),
            ("", ListFault::CutOff),
            ("<html>", ListFault::WebPage),
            ("null", ListFault::NotAList),
            ("nonsense", ListFault::NotAList),
            ("%PDF", ListFault::Unreadable),
        ] {
            assert_eq!(read_in_pieces(json, 5).await.1, Err(fault), "{json}");
        }
    }
}
