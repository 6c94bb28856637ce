use std::net::{IpAddr, Ipv6Addr};

use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{ResponseError, test::TestRequest};
use governor::clock::FakeRelativeClock;

use super::*;

fn limits(change: impl FnOnce(&mut config::Limits)) -> (Limits<FakeRelativeClock>, FakeRelativeClock) {
    let clock = FakeRelativeClock::default();
    // governor takes the time zero for "never used"; a process that has run for a while is the honest case.
    clock.advance(Duration::from_secs(1));
    let mut settings = config::Limits::default();
    change(&mut settings);
    (Limits::new(&settings, &config::Server::default(), &clock), clock)
}

fn client(text: &str) -> ClientAddress {
    text.parse::<IpAddr>().unwrap().into()
}

/// The `n`th of as many /64 networks as there are.
fn nth_client(n: u64) -> ClientAddress {
    IpAddr::V6(Ipv6Addr::from(u128::from(n) << 64)).into()
}

#[test]
fn a_burst_is_let_through_and_then_the_lasting_rate() {
    let (limits, clock) = limits(|limits| (limits.pair_init_per_minute, limits.pair_init_burst) = (6, 3));
    let one = client("192.0.2.1");

    assert_eq!([(); 4].map(|()| limits.pair_init.check(one).is_ok()), [true, true, true, false]);
    clock.advance(Duration::from_secs(10));
    assert_eq!([(); 2].map(|()| limits.pair_init.check(one).is_ok()), [true, false]);
}

#[test]
fn one_clients_requests_do_not_count_for_another_nor_at_another_door() {
    let (limits, _clock) = limits(|limits| (limits.waitlist_per_minute, limits.waitlist_burst) = (1, 1));
    let one = client("192.0.2.1");

    assert!(limits.waitlist.check(one).is_ok());
    assert!(limits.waitlist.check(one).is_err());
    assert!(limits.waitlist.check(client("192.0.2.2")).is_ok());
    assert!(limits.pair_init.check(one).is_ok());
}

#[test]
fn who_waits_as_told_is_let_through_and_not_a_second_earlier() {
    let (limits, clock) = limits(|limits| (limits.pair_claim_per_minute, limits.pair_claim_burst) = (7, 1));
    let one = client("192.0.2.1");
    limits.pair_claim.check(one).unwrap();

    let wait = limits.pair_claim.check(one).unwrap_err().retry_after_seconds;
    assert_eq!(wait, 9, "60 s / 7 rounded up");
    clock.advance(Duration::from_secs(wait - 1));
    assert_eq!(limits.pair_claim.check(one), Err(TooMany { retry_after_seconds: 1 }));
    clock.advance(Duration::from_secs(1));
    assert_eq!(limits.pair_claim.check(one), Ok(()));
}

#[actix_web::test]
async fn the_refusal_is_429_with_retry_after_and_a_short_detail() {
    for (wait, detail) in
        [(1, "Too many requests. Try again in 1 second."), (9, "Too many requests. Try again in 9 seconds.")]
    {
        let response = TooMany { retry_after_seconds: wait }.error_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers().get(RETRY_AFTER).unwrap().to_str().unwrap(), wait.to_string());
        assert_eq!(response.headers().get("content-type").unwrap(), "application/json");
        let body = to_bytes(response.into_body()).await.unwrap();
        assert_eq!(body, format!("{{\"detail\":\"{detail}\"}}"));
    }
}

#[test]
fn all_addresses_of_an_ipv6_network_share_one_allowance() {
    let (limits, _clock) = limits(|limits| (limits.pair_init_per_minute, limits.pair_init_burst) = (1, 1));
    assert!(limits.pair_init.check(client("2001:db8:1:2::1")).is_ok());
    assert!(limits.pair_init.check(client("2001:db8:1:2::2")).is_err());
    assert!(limits.pair_init.check(client("2001:db8:1:3::1")).is_ok());
}

#[test]
fn a_request_counts_against_its_connection_whatever_its_headers_say() {
    let (limits, _clock) = limits(|_| ());
    let spoofed = TestRequest::default()
        .peer_addr("198.51.100.7:4711".parse().unwrap())
        .insert_header(("X-Forwarded-For", "203.0.113.9"))
        .insert_header(("Forwarded", "for=203.0.113.9"))
        .to_http_request();
    assert_eq!(limits.client_of(&spoofed), client("198.51.100.7"));
}

#[test]
fn a_request_counts_against_what_a_trusted_proxy_says() {
    let server = config::Server { trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()], ..Default::default() };
    let limits = Limits::new(&config::Limits::default(), &server, &FakeRelativeClock::default());
    let forwarded = TestRequest::default()
        .peer_addr("10.0.0.1:4711".parse().unwrap())
        .insert_header(("X-Forwarded-For", "192.0.2.1, 203.0.113.9"))
        .to_http_request();
    assert_eq!(limits.client_of(&forwarded), client("203.0.113.9"));
}

#[test]
fn a_million_addresses_take_no_more_memory_than_the_cap() {
    const MOST: usize = 1_000;
    let (limits, clock) = limits(|limits| limits.max_tracked_addresses = MOST);
    let held = nth_client(0);
    limits.pair_init.check(held).unwrap();

    let n_let_through = (1..=1_000_000).filter(|&n| limits.pair_init.check(nth_client(n)).is_ok()).count();

    assert_eq!(limits.pair_init.n_tracked(), MOST);
    let burst = config::Limits::default().pair_init_burst as usize;
    assert_eq!(n_let_through, MOST - 1 + burst, "those held once each, all others from one allowance");
    assert!(limits.pair_init.check(held).is_ok(), "an address that is held keeps its own allowance");

    clock.advance(Duration::from_secs(3_600));
    limits.forget_idle();
    assert_eq!(limits.pair_init.n_tracked(), 0);
    assert!(limits.pair_init.check(nth_client(999_999)).is_ok(), "there is room again");
}

#[test]
fn an_address_with_a_used_allowance_is_not_forgotten() {
    let (limits, clock) = limits(|limits| (limits.pair_init_per_minute, limits.pair_init_burst) = (1, 5));
    let one = client("192.0.2.1");
    (0..5).for_each(|_| limits.pair_init.check(one).unwrap());
    clock.advance(Duration::from_secs(30));
    limits.forget_idle();
    assert_eq!(limits.pair_init.check(one), Err(TooMany { retry_after_seconds: 30 }));
}

mod failed_claims {
    use super::*;

    fn budget(of_all: u32, of_one: u32) -> (FailureBudget<FakeRelativeClock>, FakeRelativeClock) {
        let (limits, clock) = limits(|limits| {
            limits.failed_claims_per_hour = of_all;
            limits.failed_claims_per_hour_per_address = of_one;
        });
        (limits.failed_claims, clock)
    }

    #[test]
    fn wrong_guesses_from_one_address_are_stopped() {
        let (budget, clock) = budget(1_000, 3);
        let one = client("192.0.2.1");
        (0..3).for_each(|_| drop(budget.begin(one).unwrap()));

        assert_eq!(budget.begin(one).err(), Some(TooMany { retry_after_seconds: 1_200 }));
        assert!(budget.begin(client("192.0.2.2")).is_ok(), "others go on");
        clock.advance(Duration::from_secs(1_200));
        assert!(budget.begin(one).is_ok());
    }

    #[test]
    fn wrong_guesses_from_ever_new_addresses_are_stopped() {
        let (budget, clock) = budget(10, 3);
        (0..10).for_each(|n| drop(budget.begin(nth_client(n)).unwrap()));

        assert_eq!(budget.begin(nth_client(10)).err(), Some(TooMany { retry_after_seconds: 360 }));
        clock.advance(Duration::from_secs(360));
        assert!(budget.begin(nth_client(10)).is_ok());
    }

    #[test]
    fn right_codes_cost_nothing() {
        let (budget, _clock) = budget(2, 2);
        let one = client("192.0.2.1");
        for _ in 0..100 {
            budget.begin(one).unwrap().was_no_guess();
        }
    }

    #[test]
    fn guesses_made_at_the_same_moment_all_count() {
        let (budget, _clock) = budget(1_000, 3);
        let one = client("192.0.2.1");
        let under_way: Vec<_> = (0..10).filter_map(|_| budget.begin(one).ok()).collect();
        assert_eq!(under_way.len(), 3);
    }

    #[test]
    fn an_attempt_that_the_instance_refused_does_not_count_for_its_address() {
        let (budget, clock) = budget(1, 1);
        drop(budget.begin(client("192.0.2.1")).unwrap());
        let other = client("192.0.2.2");
        assert_eq!(budget.begin(other).err(), Some(TooMany { retry_after_seconds: 3_600 }));
        clock.advance(Duration::from_secs(3_600));
        assert!(budget.begin(other).is_ok());
    }

    #[test]
    fn its_memory_is_bounded_too() {
        let clock = FakeRelativeClock::default();
        let budget = FailureBudget::per_hour(1_000_000, 3, 100, &clock);
        (1..=100_000).for_each(|n| drop(budget.begin(nth_client(n))));
        assert_eq!(budget.n_tracked(), 100);
    }
}

#[actix_web::test]
async fn idle_addresses_are_forgotten_each_minute() {
    tokio::time::pause();
    let (limits, clock) = limits(|_| ());
    let limits = Arc::new(limits);
    let sweeper = Arc::clone(&limits).keep_small();
    // The interval's first tick is at once; it must be over before the address comes.
    tokio::task::yield_now().await;
    limits.waitlist.check(client("192.0.2.1")).unwrap();
    clock.advance(Duration::from_secs(3_600));

    tokio::time::advance(SWEEP_PERIOD - Duration::from_secs(1)).await;
    assert_eq!(limits.waitlist.n_tracked(), 1);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(limits.waitlist.n_tracked(), 0);
    sweeper.abort();
}
