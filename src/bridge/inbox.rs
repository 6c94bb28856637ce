//! What a TV sends: bytes in, whole messages out.
//!
//! Bytes are taken from the connection only when no whole frame is left, so a TV that sends faster than it is listened to is held
//! back by TCP, and a socket never holds more than one message and one chunk. (actix-web-actors' own reader takes all bytes there are
//! at each turn; small frames pile up in it without bound, and a frame that is too long is refused only after it has arrived whole.)
//! An idle socket holds no buffer.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_http::ws::{Codec, Frame, Item, ProtocolError};
use actix_web::error::PayloadError;
use actix_web::web::{Bytes, BytesMut};
use futures_util::{Stream, ready};
use tokio_util::codec::Decoder;

/// The longest head a frame can have: two bytes, eight of length, four of mask.
const MAX_FRAME_HEAD_BYTES: usize = 14;

/// One message of a TV.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Incoming {
    /// A text message, put together when it came in pieces.
    Text(String),
    /// A ping, to be answered with its own bytes.
    Ping(Bytes),
    /// A pong. It proves that a proxy is there, not that the TV is.
    Pong,
    /// The TV closes.
    Close {
        /// Its code, if it gave one.
        code: Option<u16>,
        /// Its words, if it gave any.
        reason: Option<String>,
    },
}

/// Why nothing more can be read from a TV.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum InboxFault {
    /// The connection ended without a close.
    #[error("connection lost")]
    Lost,
    /// A message beyond the cap.
    #[error("message longer than {max_bytes} bytes")]
    TooLong {
        /// The cap.
        max_bytes: usize,
    },
    /// The wire carries JSON text only.
    #[error("binary message; send text")]
    Binary,
    /// A text message that is no text.
    #[error("text message that is not UTF-8")]
    NotUtf8,
    /// Frames against RFC 6455.
    #[error("frames against the WebSocket protocol")]
    Protocol,
}

/// Reads the messages of one TV.
pub(super) struct Inbox<S> {
    bytes: S,
    codec: Codec,
    buffer: BytesMut,
    /// The pieces so far of a message that comes in pieces.
    pieces: BytesMut,
    max_message_bytes: usize,
    has_ended: bool,
}

impl<S: Stream<Item = Result<Bytes, PayloadError>> + Unpin> Inbox<S> {
    /// Reads messages of at most `max_message_bytes` from the connection's bytes.
    pub(super) fn new(bytes: S, max_message_bytes: usize) -> Self {
        Inbox {
            bytes,
            codec: Codec::new().max_size(max_message_bytes),
            buffer: BytesMut::new(),
            pieces: BytesMut::new(),
            max_message_bytes,
            has_ended: false,
        }
    }

    fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Result<Incoming, InboxFault>> {
        loop {
            match self.codec.decode(&mut self.buffer) {
                Ok(Some(frame)) => {
                    if let Some(message) = self.take(frame)? {
                        return Poll::Ready(Ok(message));
                    }
                }
                Ok(None) if self.buffer.len() > self.max_message_bytes + MAX_FRAME_HEAD_BYTES => {
                    return Poll::Ready(Err(self.too_long()));
                }
                Ok(None) => {
                    if self.buffer.is_empty() {
                        self.buffer = BytesMut::new();
                    }
                    match ready!(Pin::new(&mut self.bytes).poll_next(context)) {
                        Some(Ok(chunk)) => self.buffer.extend_from_slice(&chunk),
                        Some(Err(_)) | None => return Poll::Ready(Err(InboxFault::Lost)),
                    }
                }
                Err(ProtocolError::Overflow) => return Poll::Ready(Err(self.too_long())),
                Err(_) => return Poll::Ready(Err(InboxFault::Protocol)),
            }
        }
    }

    /// The message that `frame` is or completes.
    fn take(&mut self, frame: Frame) -> Result<Option<Incoming>, InboxFault> {
        let message = match frame {
            Frame::Text(text) => Incoming::Text(utf8(&text)?),
            Frame::Ping(bytes) => Incoming::Ping(bytes),
            Frame::Pong(_) => Incoming::Pong,
            Frame::Close(None) => Incoming::Close { code: None, reason: None },
            Frame::Close(Some(close)) => Incoming::Close { code: Some(close.code.into()), reason: close.description },
            Frame::Binary(_) | Frame::Continuation(Item::FirstBinary(_)) => return Err(InboxFault::Binary),
            Frame::Continuation(Item::FirstText(piece) | Item::Continue(piece)) => {
                self.add(&piece)?;
                return Ok(None);
            }
            Frame::Continuation(Item::Last(piece)) => {
                self.add(&piece)?;
                Incoming::Text(utf8(&std::mem::take(&mut self.pieces))?)
            }
        };
        Ok(Some(message))
    }

    fn add(&mut self, piece: &[u8]) -> Result<(), InboxFault> {
        if self.pieces.len() + piece.len() > self.max_message_bytes {
            return Err(self.too_long());
        }
        self.pieces.extend_from_slice(piece);
        Ok(())
    }

    fn too_long(&self) -> InboxFault {
        InboxFault::TooLong { max_bytes: self.max_message_bytes }
    }
}

fn utf8(bytes: &[u8]) -> Result<String, InboxFault> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| InboxFault::NotUtf8)
}

/// Ends after the first fault: what follows it cannot be trusted to begin at a frame.
impl<S: Stream<Item = Result<Bytes, PayloadError>> + Unpin> Stream for Inbox<S> {
    type Item = Result<Incoming, InboxFault>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        let message = ready!(self.poll_message(context));
        self.has_ended = message.is_err();
        Poll::Ready(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt, stream};
    use proptest::prelude::*;

    use super::*;

    const CAP: usize = 32;

    /// A frame as a client sends it, with a mask of zeros that leaves the payload readable.
    fn frame(first_byte: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![first_byte, 0x80 | u8::try_from(payload.len()).unwrap(), 0, 0, 0, 0];
        bytes.extend_from_slice(payload);
        bytes
    }

    const TEXT: u8 = 0x81;
    const TEXT_BEGINS: u8 = 0x01;
    const GOES_ON: u8 = 0x00;
    const ENDS: u8 = 0x80;

    /// What is read from `chunks`, after which the connection is cut.
    fn read(chunks: impl IntoIterator<Item = Vec<u8>>) -> Vec<Result<Incoming, InboxFault>> {
        let chunks: Vec<_> = chunks.into_iter().map(|chunk| Ok(Bytes::from(chunk))).collect();
        Inbox::new(stream::iter(chunks), CAP).collect::<Vec<_>>().now_or_never().unwrap()
    }

    fn text(text: &str) -> Result<Incoming, InboxFault> {
        Ok(Incoming::Text(text.to_owned()))
    }

    #[test]
    fn messages_are_found_wherever_the_network_cuts_the_bytes() {
        let bytes = [frame(TEXT, b"one"), frame(TEXT, b"two"), frame(0x89, b"p"), frame(0x8A, b"")].concat();
        let expected =
            [text("one"), text("two"), Ok(Incoming::Ping("p".into())), Ok(Incoming::Pong), Err(InboxFault::Lost)];
        assert_eq!(read([bytes.clone()]), expected);
        assert_eq!(read(bytes.iter().map(|byte| vec![*byte])), expected);
    }

    #[test]
    fn a_message_in_pieces_is_put_together_round_a_ping() {
        let frames = [frame(TEXT_BEGINS, b"a"), frame(GOES_ON, b"b"), frame(0x89, b""), frame(ENDS, b"c")];
        assert_eq!(read([frames.concat()])[..2], [Ok(Incoming::Ping(Bytes::new())), text("abc")]);
    }

    #[test]
    fn a_message_beyond_the_cap_is_refused_before_it_has_arrived() {
        let too_long = [Err(InboxFault::TooLong { max_bytes: CAP })];
        assert_eq!(read([frame(TEXT, &[b'x'; CAP + 1])]), too_long);
        // Announces 1 GB and sends a little of it.
        let mut announced = vec![TEXT, 0x80 | 127];
        announced.extend_from_slice(&1_000_000_000_u64.to_be_bytes());
        announced.extend_from_slice(&[0; 4 + CAP + 1]);
        assert_eq!(read([announced]), too_long);
        let pieces = [frame(TEXT_BEGINS, &[b'x'; 20]), frame(GOES_ON, &[b'x'; 20])];
        assert_eq!(read([pieces.concat()]), too_long);
    }

    #[test]
    fn what_is_no_text_is_refused_and_nothing_is_read_after_it() {
        for (bytes, fault) in [
            (frame(0x82, b"x"), InboxFault::Binary),
            (frame(0x02, b"x"), InboxFault::Binary),
            (frame(TEXT, b"\xff"), InboxFault::NotUtf8),
            (frame(TEXT | 0x40, b"x"), InboxFault::Protocol),
            (frame(ENDS, b"x"), InboxFault::Protocol),
            (vec![TEXT, 1, b'x'], InboxFault::Protocol),
        ] {
            assert_eq!(read([bytes, frame(TEXT, b"after")]), [Err(fault)]);
        }
    }

    #[test]
    fn a_close_comes_with_its_code_and_words() {
        let closes = [frame(0x88, b"\x03\xe8repairing"), frame(0x88, b"")].concat();
        let expected = [
            Ok(Incoming::Close { code: Some(1000), reason: Some("repairing".to_owned()) }),
            Ok(Incoming::Close { code: None, reason: None }),
        ];
        assert_eq!(read([closes])[..2], expected);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = read([bytes]);
        }
    }
}
