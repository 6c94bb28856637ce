//! What an idle actor costs. Alone in its file, as it measures the process.

#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use common::{Circus, Do, house, in_seconds, tv_of};

/// Bytes this process holds that are not shared with files.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells what a process holds");
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("RssAnon:")?.trim().strip_suffix(" kB"));
    kilobytes.and_then(|number| number.parse::<usize>().ok()).expect("Linux counts in kB") * 1_024
}

#[actix::test]
async fn an_idle_actor_costs_at_most_three_kilobytes() {
    const N_WARM: u128 = 2_000;
    const N_ACTORS: u128 = 20_000;
    let circus = Circus::on_threads(2);
    let start = async |numbers: std::ops::Range<u128>| {
        for number in numbers {
            let key = tv_of(house(number % 100), number);
            assert_eq!(circus.bus.call(key, Do::Add(1), in_seconds(60)).await, Ok(1));
        }
    };
    start(0..N_WARM).await;
    let before = resident();

    start(N_WARM..N_WARM + N_ACTORS).await;

    let bytes = (resident() - before) / N_ACTORS as usize;
    println!("{bytes} bytes an idle actor");
    assert!(bytes <= 3 * 1_024, "{bytes} bytes");
    circus.bus.close(Duration::from_secs(1)).await;
}
