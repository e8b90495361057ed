//! The consumer of the classic group protocol, as two threads of one machine: the application's
//! (`call`, `proceed`, `callback_done`) and the network's with the heartbeat thread (`handle`, `wake`).

mod settings;

pub use settings::*;

use super::{Channel, ClientAction};
use crate::kafka::api::Response;
use crate::kafka::fact::{MemberState, Membership};
use crate::kafka::ids::{BrokerId, Generation, MemberId, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::timers::Wake;
use std::rc::Rc;

/// What a consumer wants done.
pub type Action = ClientAction<ConsumerEvent>;

/// A consumer.
#[derive(Clone, Debug)]
pub struct Consumer {
    settings: ConsumerSettings,
}

impl Consumer {
    /// A consumer that has done nothing yet.
    pub fn new(settings: ConsumerSettings) -> Consumer {
        Consumer { settings }
    }

    /// Makes it a member of a generation that already exists.
    pub fn install(
        &mut self,
        preset: MembershipPreset,
        journal: &mut Journal,
        out: &mut Vec<Action>,
    ) {
        let _ = (preset, journal, out, &self.settings);
    }

    /// The application calls. One call at a time, but for calls made in a callback.
    pub fn call(&mut self, call: Call, journal: &mut Journal, out: &mut Vec<Action>) {
        let _ = (call, journal, out);
    }

    /// The rebalance listener returned.
    pub fn callback_done(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        let _ = (journal, out);
    }

    /// An answer arrived.
    pub fn handle(
        &mut self,
        from: BrokerId,
        channel: Channel,
        correlation_id: i32,
        response: Response,
        journal: &mut Journal,
        out: &mut Vec<Action>,
    ) {
        let _ = (from, channel, correlation_id, response, journal, out);
    }

    /// A connection broke: what was sent over it gets no answer.
    pub fn disconnected(
        &mut self,
        from: BrokerId,
        channel: Channel,
        journal: &mut Journal,
        out: &mut Vec<Action>,
    ) {
        let _ = (from, channel, journal, out);
    }

    /// One due timer fires.
    pub fn wake(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        let _ = (journal, out);
    }

    /// When it wants to be woken.
    pub fn next_wake(&self) -> Option<Wake> {
        None
    }

    /// Whether the call that the application is blocked in can go on.
    pub fn can_proceed(&self) -> bool {
        false
    }

    /// The blocked call goes on.
    pub fn proceed(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        let _ = (journal, out);
    }

    /// `wakeup()`: a blocked poll returns at once, empty-handed (instead of throwing WakeupException, which
    /// programs catch). Without one, nothing happens.
    pub fn wakeup(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        let _ = (journal, out);
    }

    /// The membership as it stands, for what the application does in its name.
    pub fn membership(&self) -> Rc<Membership> {
        Rc::new(Membership {
            group: self.settings.config.group_id.clone().unwrap_or_default(),
            actor: self.settings.actor.clone(),
            process: self.settings.process,
            member_id: MemberId::default(),
            group_instance_id: self.settings.config.group_instance_id.clone(),
            generation: Generation::NONE,
        })
    }

    /// The client's state.
    pub fn member_state(&self) -> MemberState {
        MemberState::Unjoined
    }

    /// The partitions between Acquire and Release.
    pub fn owned(&self) -> Vec<TopicPartition> {
        Vec::new()
    }
}
