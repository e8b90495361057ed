//! The inspector's log, and what the code is written from.

use super::{Selection, Sources};
use crate::kafka::config::{Configuration, ConsumerConfig, set_config};
use crate::kafka::fact::FactId;
use crate::view::client_log::{LogBook, LogOf, Who};
use crate::view::inspect::ClientSource;
use crate::world::setup::{CommitStyle, ConsumerSpec};
use crate::world::{ActorView, Role};
use std::rc::Rc;

/// The log of what is chosen: that of the look before, continued, unless time went another way since.
pub(super) fn build(
    sources: Sources<'_>,
    selection: &Selection,
    before: Option<&Rc<LogBook>>,
) -> Option<Rc<LogBook>> {
    let of = log_of(sources, selection)?;
    let last = sources.sums.last;
    let goes_on = |book: &&Rc<LogBook>| {
        let (id, at) = book.last();
        let fact = sources.chronicle.fact(id);
        *book.of() == of && id <= last && fact.is_some_and(|fact| fact.at == at)
    };
    let (mut book, before) = match before.filter(goes_on) {
        Some(book) if book.last().0 == last => return Some(book.clone()),
        Some(book) => ((**book).clone(), Some(book)),
        None => (LogBook::new(of), None),
    };
    let after = before.map_or(FactId::BEGINNING, |book| book.last().0);
    let cluster = sources.world.cluster();
    for fact in sources.chronicle.between(after, last) {
        book.fold(fact, cluster);
    }
    Some(Rc::new(book))
}

fn log_of(sources: Sources<'_>, selection: &Selection) -> Option<LogOf> {
    match selection {
        Selection::Client(name) => {
            let actor = sources.world.actor(name)?;
            who(&actor).map(LogOf::Client)
        }
        Selection::Group(group) => {
            let mut brokers = sources.world.brokers();
            let (broker, _) = brokers.find(|(_, machine)| machine.group(group).is_some())?;
            let setup = sources.world.setup();
            Some(LogOf::Coordinator {
                group: group.clone(),
                coordinator: setup.coordinator,
                broker,
                partitions: setup
                    .brokers
                    .get(&broker)?
                    .config
                    .offsets_topic_num_partitions,
            })
        }
        _ => None,
    }
}

fn who(actor: &ActorView<'_>) -> Option<Who> {
    let (spec, config) = match &actor.role {
        Role::Consumer { spec, config, .. } => (*spec, (***config).clone()),
        Role::Stopped { spec } => (*spec, configured(spec)),
        Role::Feed { .. } | Role::Producer { .. } => return None,
    };
    Some(Who {
        actor: actor.name.clone(),
        flavour: spec.flavour,
        client_id: match config.client_id.is_empty() {
            true => actor.name.as_str().into(),
            false => config.client_id,
        },
        max_poll_interval_ms: config.max_poll_interval_ms,
        session_timeout_ms: config.session_timeout_ms,
        request_timeout_ms: config.request_timeout_ms,
        api_timeout_ms: config.default_api_timeout_ms,
        reset: config.auto_offset_reset,
        has_commit_callback: matches!(
            spec.application.commit,
            Some(
                CommitStyle::AsyncEveryWithResend { .. } | CommitStyle::AsyncEveryWithGuard { .. }
            )
        ),
    })
}

/// The configuration of its next start. The world checked each value when it took it.
fn configured(spec: &ConsumerSpec) -> ConsumerConfig {
    let mut config = ConsumerConfig::default();
    debug_assert!(config.check().is_ok(), "defaults go together");
    for (name, value) in spec.configs.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = set_config(&mut config, name, value);
    }
    config
}

/// What the chosen client's code is written from.
pub(super) fn source(
    sources: Sources<'_>,
    selection: &Selection,
    before: Option<&Rc<ClientSource>>,
) -> Option<Rc<ClientSource>> {
    let Selection::Client(name) = selection else {
        return None;
    };
    let actor = sources.world.actor(name)?;
    let is_same = |old: &&Rc<ClientSource>| match (&***old, &actor.role) {
        (ClientSource::Consumer(old), Role::Consumer { spec, .. } | Role::Stopped { spec }) => {
            *old == **spec
        }
        (ClientSource::Producer(old), Role::Producer { spec, .. }) => *old == **spec,
        _ => false,
    };
    if let Some(old) = before.filter(is_same) {
        return Some(old.clone());
    }
    Some(Rc::new(match &actor.role {
        Role::Consumer { spec, .. } | Role::Stopped { spec } => {
            ClientSource::Consumer((*spec).clone())
        }
        Role::Producer { spec, .. } => ClientSource::Producer((*spec).clone()),
        Role::Feed { .. } => return None,
    }))
}
