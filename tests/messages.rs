//! The view of messages over a scenario that runs, judged without a browser.
#![cfg(not(target_arch = "wasm32"))]

use regroup::scenario::entry;
use regroup::session::Session;
use regroup::view::messages::capture::open;
use regroup::view::messages::fields::Value;
use regroup::view::messages::filter::FilterProblem;
use regroup::view::messages::{Detail, MessagesAct, MessagesPanel, SHOWN_MOST, Scope, Side};
use regroup::view::panel::{Panel, Tab};
use regroup::view::timebar::TimeBar;
use regroup::view::{
    ApiKey, BrokerId, Builders, Choice, ErrorCode, Instant, Selection, Sources, View, build,
    capture_file,
};
use regroup::world::command::Command;
use std::rc::Rc;

struct Page {
    session: Session,
    choice: Choice,
    view: View,
}

impl Page {
    fn open(name: &str, variant: Option<&str>) -> Page {
        let document = entry(name).expect("it is in the library").document();
        let scenario = document.scenario(variant).expect("it is read");
        Page {
            session: Session::new(scenario.setup, scenario.acts).expect("it starts"),
            choice: Choice {
                tab: Tab::Messages,
                ..Choice::default()
            },
            view: View::default(),
        }
    }

    fn sources<T>(&self, with: impl FnOnce(Sources<'_>) -> T) -> T {
        with(Sources {
            world: self.session.world(),
            sums: self.session.sums(),
            chronicle: &self.session.sums().chronicle(),
            rival: None,
            life: None,
            past: None,
            past_end: None,
        })
    }

    fn look(&mut self) -> Rc<MessagesPanel> {
        let built = |sources: Sources<'_>| {
            build(
                sources,
                &self.choice,
                TimeBar::default(),
                &self.view,
                true,
                &Builders::ALL,
            )
        };
        self.view = self.sources(built);
        match &self.view.panel {
            Panel::Messages(panel) => panel.clone(),
            _ => panic!("the view of messages is open"),
        }
    }

    fn run_to(&mut self, ms: i64) -> Rc<MessagesPanel> {
        self.session.advance_to(Instant::from_ms(ms), u64::MAX);
        self.look()
    }

    fn act(&mut self, act: MessagesAct) -> Rc<MessagesPanel> {
        let shown = self.look();
        Rc::make_mut(&mut self.choice.messages).reduce(act, &shown);
        self.look()
    }

    fn detail(&mut self, exchange: u64, is_answer: bool) -> Rc<Detail> {
        self.choice.selection = Some(Selection::Message {
            exchange,
            is_answer,
        });
        self.look();
        self.view.inspector.message.clone().expect("it is known")
    }
}

fn numbers(panel: &MessagesPanel) -> Vec<u64> {
    panel.exchanges.iter().map(|one| one.number).collect()
}

#[test]
fn the_captured_join_is_listed_with_its_errors_and_drawn_between_its_parties() {
    let mut page = Page::open("captured-traffic", Some("join"));
    let panel = page.run_to(6_100);
    let told = panel.exchanges.iter().filter_map(|one| {
        let answer = one.answer.as_ref()?;
        (!answer.error.is_none()).then(|| (one.from.to_string(), answer.error, answer.bytes))
    });
    let mut told: Vec<_> = told.collect();
    told.sort();
    let rebalance = |name: &str| (name.to_owned(), ErrorCode::RebalanceInProgress, 14);
    let given = ("C4".to_owned(), ErrorCode::MemberIdRequired, 82);
    assert_eq!(
        told,
        [rebalance("C1"), rebalance("C2"), rebalance("C3"), given]
    );
    let clients = ["C1", "C2", "C3", "C4"].map(|name| Side::Client(name.into()));
    assert_eq!(panel.diagram.sides[0], Side::Broker(BrokerId(1)));
    assert_eq!(panel.diagram.sides[1..], clients);
    let arrows = panel.diagram.arrows.iter();
    let errors = arrows.filter(|arrow| !arrow.error.is_none()).count();
    assert_eq!(errors, 4);
}

#[test]
fn a_filter_a_party_and_a_scope_choose_and_what_is_wrong_changes_nothing() {
    let mut page = Page::open("captured-traffic", Some("join"));
    page.run_to(6_100);
    let filter = |text: &str| MessagesAct::Filter(text.into());
    let panel = page.act(filter("api == JoinGroup && error != 0"));
    assert_eq!(panel.exchanges.len(), 1);
    assert_eq!(
        (
            panel.exchanges[0].correlation_id,
            panel.exchanges[0].request_bytes
        ),
        (2, 167)
    );
    let panel = page.act(filter("api == JoinGroup &&"));
    assert_eq!(panel.wish.problem, Some(FilterProblem::End));
    assert_eq!(
        panel.exchanges.len(),
        1,
        "the last filter that could be read stays"
    );
    page.act(filter("size == 456"));
    let panel = page.act(MessagesAct::Scope(Scope::One(ApiKey::SyncGroup)));
    assert_eq!(panel.exchanges.len(), 1, "the leader's SyncGroup");
    page.act(filter(""));
    let panel = page.act(MessagesAct::Side(Some(Side::Client("C4".into()))));
    assert!(panel.exchanges.iter().all(|one| *one.from == *"C4"));
    assert_eq!(panel.exchanges.len(), 1);
}

#[test]
fn what_is_listed_is_bounded_and_pages_lead_back_and_forth() {
    let mut page = Page::open("class-room", None);
    page.run_to(20_000);
    let newest = page.act(MessagesAct::Scope(Scope::All));
    assert_eq!(newest.exchanges.len(), SHOWN_MOST);
    assert!(newest.has_older);
    let older = page.act(MessagesAct::Older);
    assert!(numbers(&older).last() < numbers(&newest).last());
    // What is shown does not change while time goes on.
    let later = page.run_to(25_000);
    assert_eq!(numbers(&later), numbers(&older));
    let mut newer = page.act(MessagesAct::Newer);
    while newer.wish.until.is_some() {
        newer = page.act(MessagesAct::Newer);
    }
    let followed = page.act(MessagesAct::Follow);
    assert_eq!(numbers(&newer), numbers(&followed));
}

#[test]
fn nothing_is_listed_that_has_not_happened_yet() {
    let mut page = Page::open("class-room", None);
    page.run_to(10_000);
    let before = page.act(MessagesAct::Scope(Scope::All));
    let open: Vec<_> = before
        .exchanges
        .iter()
        .filter(|one| one.answer.is_none())
        .collect();
    assert!(!open.is_empty(), "a fetch is parked");
    page.run_to(15_000);
    page.session.seek(Instant::from_ms(10_000));
    assert_eq!(page.look().exchanges, before.exchanges);
    // The past is changed: what was seen of the future is forgotten.
    page.session
        .act(Command::Kill { actor: "c2".into() })
        .expect("it runs");
    let panel = page.run_to(25_000);
    let from_dead = panel.exchanges.iter().filter(|one| *one.from == *"c2");
    assert_eq!(from_dead.count(), 0);
}

#[test]
fn a_message_is_taken_apart_with_its_versions_and_causes() {
    let mut page = Page::open("captured-traffic", Some("leave"));
    page.run_to(2_000);
    let panel = page.act(MessagesAct::Filter("api == LeaveGroup".into()));
    let leave = panel.exchanges[0].number;
    let detail = page.detail(leave, false);
    let decoded = detail.decoded.as_ref().expect("it was sent");
    let key = &decoded.fields[1];
    assert_eq!((key.name, key.start, key.end), ("request_api_key", 4, 6));
    assert_eq!(key.value, Value::Api(ApiKey::LeaveGroup));
    let mut agreed = detail.versions.iter();
    let agreed = agreed
        .find(|one| one.api == ApiKey::LeaveGroup)
        .expect("sent");
    assert_eq!(
        (agreed.client_max, agreed.broker.max, agreed.picked),
        (1, 4, 1)
    );
    assert!(!page.view.inspector.why.is_empty());
    let answer = page.detail(leave, true);
    assert_eq!(answer.decoded.as_ref().map(|one| one.bytes.len()), Some(14));
}

#[test]
fn a_saved_capture_opens_with_every_message_that_fits() {
    let mut page = Page::open("class-room", None);
    page.run_to(15_000);
    let panel = page.act(MessagesAct::Filter("api == Heartbeat".into()));
    let wish = page.choice.messages.clone();
    let file = page.sources(|sources| capture_file(sources, &wish));
    let capture = open("a.pcap", &file).expect("a capture");
    let answered = panel.exchanges.iter().filter(|one| one.answer.is_some());
    assert_eq!(
        capture.messages.len(),
        panel.exchanges.len() + answered.count()
    );
    assert!(
        capture
            .messages
            .iter()
            .all(|message| message.problem.is_none())
    );
    // It is shown beside, through the same filter.
    let panel = page.act(MessagesAct::Open("a.pcap".into(), file.into()));
    assert_eq!(panel.captured.len(), capture.messages.len());
    assert!(panel.taken_apart.is_some());
    let panel = page.act(MessagesAct::Filter("api == Fetch".into()));
    assert!(panel.captured.is_empty());
}
