//! What the office answers and writes, statement by statement.

mod clamping;
mod crashes;
mod decisions;
mod reads;
mod replays;
mod submissions;
mod unseen;
mod writes;
