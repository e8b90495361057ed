//! The messages: which requests of the run are shown, and one of them closely.

use super::{Choice, Selection, Sources};
use crate::kafka::api::versions::{Release, common, spoken};
use crate::kafka::api::{ApiKey, Response};
use crate::kafka::client::{Flavour, consumer, producer};
use crate::kafka::fact::{Fact, FactId, FactKind};
use crate::kafka::ids::ActorName;
use crate::session::Talk;
use crate::view::event::exchange_of;
use crate::view::messages::filter::Subject;
use crate::view::messages::{
    Agreed, Answer, Detail, Exchange, MessagesPanel, Recorder, SHOWN_MOST, Side, WRITTEN_MOST,
    Wish, diagram, fields,
};
use crate::world::Role;
use crate::world::setup::ClientFlavour;
use std::rc::Rc;

/// Requests that are looked through for those that fit.
const SEARCHED_MOST: usize = 20_000;
/// The same, where the bytes of each have to be made for that.
const SEARCHED_FOR_SIZE_MOST: usize = 1_000;

pub(super) fn panel(
    sources: Sources<'_>,
    choice: &Choice,
    before: Option<&MessagesPanel>,
) -> MessagesPanel {
    let wish = &choice.messages;
    let nothing = MessagesPanel::default();
    let before = before.unwrap_or(&nothing);
    let mut search = Search::new(sources, wish);
    let mut shown: Vec<Rc<Exchange>> = Vec::new();
    let mut has_older = false;
    for (number, talk) in search.newest_first(wish.until.unwrap_or(u64::MAX)) {
        if shown.len() == SHOWN_MOST {
            has_older = true;
            break;
        }
        shown.extend(exchange(sources, number, talk, before));
    }
    shown.reverse();
    let searched = search.is_bounded.then_some(search.searched);
    let sides = sides(sources);
    let selected = match &choice.selection {
        Some(Selection::Message {
            exchange,
            is_answer,
        }) => Some((*exchange, *is_answer)),
        _ => None,
    };
    let captured = captured(wish);
    let is_same_capture = before.wish.captured == wish.captured
        && match (&before.wish.capture, &wish.capture) {
            (Some(old), Some(new)) => Rc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
    let taken_apart = match is_same_capture {
        true => before.taken_apart.clone(),
        false => {
            let chosen = wish.capture.as_ref();
            let chosen = chosen.and_then(|capture| capture.messages.get(wish.captured));
            chosen.map(|chosen| Rc::new(chosen.decoded()))
        }
    };
    let drawn = diagram::draw(&shown, &sides, sources.now(), wish.zoom, &before.diagram);
    MessagesPanel {
        wish: wish.clone(),
        exchanges: match *shown == *before.exchanges {
            true => before.exchanges.clone(),
            false => shown.into(),
        },
        diagram: super::keep(&before.diagram, drawn),
        sides: sides.into(),
        has_older,
        newer: wish.until.and_then(|until| next_page(sources, wish, until)),
        searched,
        selected,
        captured: captured.into(),
        taken_apart,
    }
}

/// Requests that a person may want to see, the newest first.
struct Search<'a> {
    sources: Sources<'a>,
    wish: &'a Wish,
    most: usize,
    searched: usize,
    is_bounded: bool,
}

impl<'a> Search<'a> {
    fn new(sources: Sources<'a>, wish: &'a Wish) -> Self {
        let most = match wish.filter.asks_for_size() {
            true => SEARCHED_FOR_SIZE_MOST,
            false => SEARCHED_MOST,
        };
        Self {
            sources,
            wish,
            most,
            searched: 0,
            is_bounded: false,
        }
    }

    fn newest_first(&mut self, until: u64) -> impl Iterator<Item = (u64, &'a Talk)> {
        let sources = self.sources;
        let talks = sources.chronicle.talks(..=until).rev();
        let happened = talks.skip_while(move |(_, talk)| talk.sent > sources.sums.last);
        happened
            .map_while(move |(number, talk)| {
                self.is_bounded = self.searched >= self.most;
                self.searched += 1;
                (!self.is_bounded).then(|| (number, talk, fits(sources, self.wish, talk)))
            })
            .filter(|(.., fits)| *fits)
            .map(|(number, talk, _)| (number, talk))
    }
}

/// The last request of the page that follows the one that ends with `until`; `None`: the newest are on it.
fn next_page(sources: Sources<'_>, wish: &Wish, until: u64) -> Option<u64> {
    let later = sources.chronicle.talks(until.saturating_add(1)..);
    let mut later = later
        .take_while(|(_, talk)| talk.sent <= sources.sums.last)
        .take(SEARCHED_MOST)
        .filter(|(_, talk)| fits(sources, wish, talk));
    let last = later.nth(SHOWN_MOST / 2)?;
    Some(last.0)
}

fn fits(sources: Sources<'_>, wish: &Wish, talk: &Talk) -> bool {
    if !wish.scope.has(talk.api) {
        return false;
    }
    let Some(sent) = sources.chronicle.fact(talk.sent) else {
        return false;
    };
    let FactKind::RequestSent {
        from,
        to,
        correlation_id,
        api_version,
        ..
    } = &sent.kind
    else {
        return false;
    };
    let is_of_side = match &wish.side {
        None => true,
        Some(Side::Client(name)) => name == from,
        Some(Side::Broker(id)) => id == to,
    };
    if !is_of_side {
        return false;
    }
    let error = answer_of(sources, talk).map(|(_, response, _)| response.error().code());
    if wish.only_errors && error.unwrap_or(0) == 0 {
        return false;
    }
    let size = || {
        let (header, request) = fields::request_of(sent)?;
        Some(fields::request_bytes(&header, request).ok()?.len())
    };
    wish.filter.matches(&Subject {
        api: talk.api.key(),
        version: *api_version,
        error,
        from,
        to: &format!("broker-{}", to.0),
        correlation_id: *correlation_id,
        time_us: sent.at.0,
        size: &size,
    })
}

/// The answer that was sent up to now: its fact, itself, when it arrives.
fn answer_of<'a>(
    sources: Sources<'a>,
    talk: &Talk,
) -> Option<(&'a Fact, &'a Rc<Response>, crate::kafka::time::Instant)> {
    let fact = happened(sources, talk.answered?)?;
    match &fact.kind {
        FactKind::ResponseSent {
            response, arrives, ..
        } => Some((fact, response, *arrives)),
        _ => None,
    }
}

fn happened(sources: Sources<'_>, id: FactId) -> Option<&Fact> {
    let fact = (id <= sources.sums.last).then(|| sources.chronicle.fact(id));
    fact.flatten()
}

/// A request with its answer; one that was shown before and has not changed keeps its place in memory.
fn exchange(
    sources: Sources<'_>,
    number: u64,
    talk: &Talk,
    before: &MessagesPanel,
) -> Option<Rc<Exchange>> {
    let sent = sources.chronicle.fact(talk.sent)?;
    let FactKind::RequestSent {
        connection,
        from,
        to,
        correlation_id,
        api_version,
        arrives,
        ..
    } = &sent.kind
    else {
        return None;
    };
    let answer = answer_of(sources, talk);
    let lost = talk.lost.and_then(|id| happened(sources, id));
    let known = before
        .exchanges
        .binary_search_by_key(&number, |old| old.number)
        .ok()
        .and_then(|place| before.exchanges.get(place))
        .filter(|old| {
            let is_same_request = old.fact == sent.id
                && old.request == (sent.at, *arrives)
                && (old.api, old.version) == (talk.api, *api_version)
                && old.correlation_id == *correlation_id
                && old.from == *from;
            let old_answer = old.answer.as_ref().map(|answer| (answer.at, answer.error));
            let new_answer = answer.map(|(fact, answer, at)| ((fact.at, at), answer.error()));
            is_same_request && old_answer == new_answer && old.is_lost == lost.is_some()
        });
    if let Some(known) = known {
        return Some(known.clone());
    }
    let (header, request) = fields::request_of(sent)?;
    let request_bytes = fields::request_bytes(&header, request);
    let answer = answer.map(|(fact, answer, arrives)| {
        let bytes = fields::answer_bytes(*api_version, *correlation_id, answer);
        Answer {
            at: (fact.at, arrives),
            error: answer.error(),
            bytes: bytes.map_or(0, |bytes| bytes.len()),
        }
    });
    Some(Rc::new(Exchange {
        number,
        fact: sent.id,
        connection: *connection,
        api: talk.api,
        version: *api_version,
        correlation_id: *correlation_id,
        from: from.clone(),
        to: *to,
        request: (sent.at, *arrives),
        answer,
        is_lost: lost.is_some(),
        request_bytes: request_bytes.map_or(0, |bytes| bytes.len()),
    }))
}

/// All parties, from left to right as on the stage; the way of every message is short then.
fn sides(sources: Sources<'_>) -> Vec<Side> {
    let client = |wants_producers: bool| {
        sources.world.actors().filter_map(move |actor| {
            let is_producer = matches!(actor.role, Role::Producer { .. });
            let is_client = !matches!(actor.role, Role::Feed { .. });
            let is_wanted = is_client && is_producer == wants_producers;
            is_wanted.then(|| Side::Client(actor.name.clone()))
        })
    };
    let brokers = sources.world.brokers().map(|(id, _)| Side::Broker(id));
    client(true).chain(brokers).chain(client(false)).collect()
}

/// Messages of the capture that fit the filter.
fn captured(wish: &Wish) -> Vec<usize> {
    let Some(capture) = &wish.capture else {
        return Vec::new();
    };
    let fits = |(place, message): (usize, &crate::view::messages::capture::Captured)| {
        let size = || Some(message.message.len() + fields::LENGTH_BYTES);
        let is_fitting = wish.filter.matches(&message.subject(&size));
        is_fitting.then_some(place)
    };
    let messages = capture.messages.iter().enumerate();
    messages.filter_map(fits).collect()
}

/// The exchange that an event is about.
pub(super) fn exchange_of_event(sources: Sources<'_>, id: FactId) -> Option<(u64, bool)> {
    let kind = &sources.chronicle.fact(id)?.kind;
    match kind {
        FactKind::RequestSent { exchange, .. } => Some((*exchange, false)),
        FactKind::ResponseSent { exchange, .. } | FactKind::ResponseReceived { exchange } => {
            Some((*exchange, true))
        }
        other => exchange_of(other).map(|exchange| (exchange, false)),
    }
}

/// The fact in which a message went onto the wire.
pub(super) fn fact_of(sources: Sources<'_>, number: u64, is_answer: bool) -> Option<FactId> {
    let talk = sources.chronicle.talk(number)?;
    let answered = talk.answered.filter(|id| *id <= sources.sums.last);
    Some(match is_answer {
        true => answered.unwrap_or(talk.sent),
        false => talk.sent,
    })
}

/// One message closely. `before`: what was shown before.
pub(super) fn detail(
    sources: Sources<'_>,
    number: u64,
    is_answer: bool,
    before: Option<&Rc<Detail>>,
) -> Option<Rc<Detail>> {
    let talk = sources.chronicle.talk(number)?;
    if talk.sent > sources.sums.last {
        return None;
    }
    let exchange = exchange(sources, number, talk, &MessagesPanel::default())?;
    let known = before.filter(|old| old.exchange == exchange && old.is_answer == is_answer);
    if let Some(known) = known {
        return Some(known.clone());
    }
    let sent = sources.chronicle.fact(talk.sent)?;
    let decoded = if is_answer {
        answer_of(sources, talk)
            .map(|(_, answer, _)| fields::answer(exchange.version, exchange.correlation_id, answer))
    } else {
        fields::request_of(sent).map(|(header, request)| fields::request(&header, request))
    };
    let release = sources.world.setup().broker_version.release();
    let (library, newest) = library_of(sources, &exchange.from);
    Some(Rc::new(Detail {
        is_answer,
        decoded: decoded.map(Rc::new),
        versions: agreed(newest, release).into(),
        library,
        release: release.name(),
        exchange,
    }))
}

/// What a client sends, each with the newest version that it speaks.
type Newest = Vec<(ApiKey, i16)>;

/// Whose library a client is made of, and what it speaks.
fn library_of(sources: Sources<'_>, name: &ActorName) -> (&'static str, Newest) {
    let consumer_apis = [
        ApiKey::Fetch,
        ApiKey::ListOffsets,
        ApiKey::Metadata,
        ApiKey::OffsetCommit,
        ApiKey::OffsetFetch,
        ApiKey::FindCoordinator,
        ApiKey::JoinGroup,
        ApiKey::Heartbeat,
        ApiKey::LeaveGroup,
        ApiKey::SyncGroup,
        ApiKey::ApiVersions,
    ];
    let actor = sources.world.actor(name);
    match actor.as_ref().map(|actor| &actor.role) {
        Some(Role::Consumer { spec, .. } | Role::Stopped { spec }) => {
            let (library, flavour) = match spec.flavour {
                ClientFlavour::Java => ("Java", Flavour::Java),
                ClientFlavour::Librdkafka => ("librdkafka", Flavour::Librdkafka),
            };
            let newest = |api| (api, consumer::newest_version(flavour, api));
            (library, consumer_apis.map(newest).to_vec())
        }
        Some(Role::Producer { .. }) => {
            let apis = [ApiKey::Produce, ApiKey::Metadata, ApiKey::ApiVersions];
            let newest = apis.map(|api| Some((api, producer::newest_version(api)?)));
            ("Java", newest.into_iter().flatten().collect())
        }
        Some(Role::Feed { .. }) | None => ("", Vec::new()),
    }
}

/// What client and broker agree on.
fn agreed(newest: Newest, release: Release) -> Vec<Agreed> {
    let agree = |(api, client_max): (ApiKey, i16)| {
        Some(Agreed {
            api,
            client_max,
            broker: spoken(release, api)?,
            picked: common(client_max, release, api),
        })
    };
    newest.into_iter().filter_map(agree).collect()
}

/// A capture file of all requests that fit what is wanted, with their answers; the newest of very many.
pub fn capture_file(sources: Sources<'_>, wish: &Wish) -> Vec<u8> {
    let mut search = Search::new(sources, wish);
    let found = search
        .newest_first(wish.until.unwrap_or(u64::MAX))
        .take(WRITTEN_MOST);
    let mut facts: Vec<&Fact> = found
        .flat_map(|(_, talk)| {
            let answer = answer_of(sources, talk).map(|(fact, ..)| fact);
            [sources.chronicle.fact(talk.sent), answer]
        })
        .flatten()
        .collect();
    facts.sort_by_key(|fact| fact.id);
    let mut recorder = Recorder::default();
    for fact in facts {
        recorder.fold(fact);
    }
    recorder.file()
}
