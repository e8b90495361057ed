//! Consumer processes: starting, driving client and program, ending.

use super::World;
use super::actor::{Actor, ActorKind, ConsumerProcess};
use super::application::{Application, Intent};
use super::command::Refusal;
use super::queue::MachineId;
use super::setup::{ClientFlavour, ConsumerSpec, Reads};
use crate::kafka::api::Response;
use crate::kafka::chance::Chance;
use crate::kafka::client::consumer::{Action, Call, Consumer, ConsumerSettings, Pattern};
use crate::kafka::client::{Channel, ClientAction, Flavour};
use crate::kafka::config::{ConfigError, Configuration, ConsumerConfig, set_config};
use crate::kafka::fact::{FactId, FactKind, ReleaseCause, StopCause, Why};
use crate::kafka::ids::{BrokerId, ClientId};
use std::rc::Rc;

/// Reads a consumer's configuration, as its constructor would.
pub(super) fn consumer_config(spec: &ConsumerSpec) -> Result<ConsumerConfig, Refusal> {
    let mut config = ConsumerConfig {
        client_id: ClientId::from(spec.name.as_str()),
        ..ConsumerConfig::default()
    };
    for (name, value) in spec.configs.iter().filter(|entry| !entry.1.is_empty()) {
        set_config(&mut config, name, value).map_err(Refusal::Config)?;
    }
    config.check().map_err(Refusal::Config)?;
    if config.group_id.is_none() {
        // Without a group there is nothing to commit to (ConsumerConfig.maybeOverrideEnableAutoCommit).
        config.enable_auto_commit = false;
        if !matches!(spec.reads, Reads::Assign(_)) {
            return Err(Refusal::Config(ConfigError::NoGroupId));
        }
    }
    Ok(config)
}

/// The call that subscribes to a pattern. `None`: it is none.
pub(super) fn subscribe_pattern(text: &str) -> Option<Call> {
    let pattern = Rc::new(Pattern::parse(text).ok()?);
    Some(Call::SubscribePattern { pattern })
}

impl World {
    /// Makes the process of a consumer, without starting it. Its program begins with `first_calls`.
    pub(super) fn make_process(
        &mut self,
        actor: usize,
        first_calls: Vec<Call>,
    ) -> Result<ConsumerProcess, Refusal> {
        let timing = &self.setup.timing;
        let seed = self.setup.seed;
        let bootstrap = self.brokers.iter().map(|slot| slot.id).collect();
        let Some(slot) = self.actors.get_mut(actor) else {
            return Err(Refusal::Nothing("actor"));
        };
        slot.process += 1;
        let (name, process) = (slot.name.clone(), slot.process);
        let ActorKind::Consumer(consumer) = &slot.kind else {
            return Err(Refusal::NotAConsumer(name));
        };
        let spec = &consumer.spec;
        let config = Rc::new(consumer_config(spec)?);
        let mut chance = Chance::new(seed, &format!("client {name} {process}"));
        let settings = ConsumerSettings {
            actor: name.clone(),
            process,
            config: config.clone(),
            flavour: match spec.flavour {
                ClientFlavour::Java => Flavour::Java,
                ClientFlavour::Librdkafka => Flavour::Librdkafka,
            },
            brokers: self.setup.broker_version.release(),
            bootstrap,
            assign_time: spec.application.assign_time.unwrap_or(timing.assign_time),
            heartbeat_step: timing.heartbeat_step,
            backoff_jitter: timing.backoff_jitter,
            seed: u64::from(chance.bits()),
            first_correlation_id: spec.first_correlation_id,
        };
        let application = Application::new(
            Rc::new(spec.application.clone()),
            config.enable_auto_commit,
            first_calls,
            Chance::new(seed, &format!("program {name} {process}")),
            self.now,
        );
        let mut consumer = Consumer::new(settings);
        consumer.set_unreadable(self.unreadable.clone());
        Ok(ConsumerProcess {
            config,
            consumer,
            application,
        })
    }

    /// Starts the process of a consumer. The journal has begun.
    pub(super) fn start_consumer(&mut self, actor: usize) -> Result<(), Refusal> {
        let Some(consumer) = self.actors.get(actor).and_then(|actor| actor.consumer()) else {
            return Err(Refusal::Nothing("actor"));
        };
        let first_call = match consumer.spec.reads.clone() {
            Reads::Subscribe(topics) => Call::Subscribe { topics },
            Reads::Assign(partitions) => Call::Assign { partitions },
            Reads::Pattern(text) => {
                subscribe_pattern(&text).ok_or(Refusal::BadPattern(text.clone()))?
            }
        };
        let process = self.make_process(actor, vec![first_call])?;
        self.note_started(actor);
        self.run_process(actor, process, Vec::new());
        Ok(())
    }

    /// Notes that the actor's process starts, as the cause of what it does first.
    pub(super) fn note_started(&mut self, actor: usize) {
        if let Some(slot) = self.actors.get(actor) {
            self.journal.note_as_cause(FactKind::Started {
                actor: slot.name.clone(),
                process: slot.process,
            });
        }
    }

    /// The process begins to run.
    pub(super) fn run_process(
        &mut self,
        actor: usize,
        process: ConsumerProcess,
        actions: Vec<Action>,
    ) {
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        if let Some(consumer) = slot.consumer_mut() {
            consumer.running = Some(process);
            consumer.restarts = false;
        }
        self.drive(actor, actions);
    }

    /// An answer arrives at an actor's client.
    pub(super) fn client_hears(
        &mut self,
        actor: usize,
        from: BrokerId,
        channel: Channel,
        correlation_id: i32,
        response: Response,
    ) {
        let journal = &mut self.journal;
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        if let Some(process) = slot.producer_mut().and_then(|actor| actor.running.as_mut()) {
            let mut actions = Vec::new();
            let producer = &mut process.producer;
            producer.handle(
                from,
                channel,
                correlation_id,
                response,
                journal,
                &mut actions,
            );
            self.drive_producer(actor, actions);
            return;
        }
        if let ActorKind::Tool(_) = slot.kind {
            return self.tool_hears(actor, correlation_id, response);
        }
        let Some(process) = slot.running_mut() else {
            return;
        };
        let mut actions = Vec::new();
        let consumer = &mut process.consumer;
        consumer.handle(
            from,
            channel,
            correlation_id,
            response,
            journal,
            &mut actions,
        );
        self.drive(actor, actions);
    }

    /// The first timer of an actor's client fires.
    pub(super) fn wake_client(&mut self, actor: usize) {
        let slot = self.actors.get(actor);
        let Some(wake) = slot.and_then(Actor::next_client_wake) else {
            return;
        };
        self.note_timer(actor, wake.why, wake.set_by);
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        if let Some(process) = slot.running_mut() {
            let mut actions = Vec::new();
            process.consumer.wake(&mut self.journal, &mut actions);
            self.drive(actor, actions);
        } else if let Some(process) = slot.producer_mut().and_then(|actor| actor.running.as_mut()) {
            let mut actions = Vec::new();
            process.producer.wake(&mut self.journal, &mut actions);
            self.drive_producer(actor, actions);
        }
    }

    /// The program does its next step by itself.
    pub(super) fn wake_program(&mut self, actor: usize) {
        match self.actors.get(actor).map(|actor| &actor.kind) {
            Some(ActorKind::Feed(_)) => self.wake_feed(actor),
            Some(ActorKind::Producer(_)) => self.wake_producing(actor),
            Some(ActorKind::Consumer(_)) => self.wake_application(actor),
            Some(ActorKind::Tool(_)) => self.wake_tool(actor),
            Some(ActorKind::Raw(_)) | None => {}
        }
    }

    /// The application's wait, or its work on a record, is over.
    fn wake_application(&mut self, actor: usize) {
        let slot = self.actors.get(actor).and_then(Actor::running);
        let Some((_, set_by)) = slot.and_then(|process| process.application.next_wake()) else {
            return;
        };
        self.note_timer(actor, Why::Application, set_by);
        if let Some(process) = self.actors.get_mut(actor).and_then(Actor::running_mut) {
            let member = process.consumer.membership();
            let poison = &self.poison;
            process.application.wake(poison, &member, &mut self.journal);
        }
        self.drive(actor, Vec::new());
    }

    /// A blocked call of an actor's client goes on.
    pub(super) fn go_on(&mut self, actor: usize, cause: FactId) {
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        slot.is_queued = false;
        if slot.is_frozen {
            return;
        }
        let Some(process) = slot.running_mut() else {
            return;
        };
        if !process.consumer.can_proceed() {
            return;
        }
        self.journal.begin(self.now, cause);
        let mut actions = Vec::new();
        process.consumer.proceed(&mut self.journal, &mut actions);
        self.drive(actor, actions);
    }

    /// Interrupts what the program waits for, so that it does at once what it was told.
    pub(super) fn disturb(&mut self, actor: usize) {
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        let is_frozen = slot.is_frozen;
        let Some(process) = slot.running_mut() else {
            return;
        };
        let mut actions = Vec::new();
        if process.application.is_polling() {
            process.consumer.wakeup(&mut self.journal, &mut actions);
        }
        process.application.disturb();
        if !is_frozen {
            self.drive(actor, actions);
        }
    }

    /// Carries out what client and program of an actor want, until both wait.
    pub(super) fn drive(&mut self, actor: usize, mut actions: Vec<Action>) {
        loop {
            for action in actions.drain(..) {
                self.carry_out(actor, action);
            }
            let Some(process) = self
                .actors
                .get_mut(actor)
                .and_then(|actor| actor.running_mut())
            else {
                return;
            };
            let journal = &mut self.journal;
            let member = process.consumer.membership();
            match process.application.next(&self.poison, &member, journal) {
                Intent::Call(call) => process.consumer.call(call, journal, &mut actions),
                Intent::CallbackDone => process.consumer.callback_done(journal, &mut actions),
                Intent::Forward(forward) => self.forward(actor, forward),
                Intent::End(how) => {
                    self.end_process(actor, how);
                    return;
                }
                Intent::Wait => break,
            }
        }
        self.note_actor(actor);
    }

    fn carry_out(&mut self, actor: usize, action: Action) {
        match action {
            ClientAction::Send {
                to,
                channel,
                header,
                request,
            } => self.send_request(actor, to, channel, header, request),
            ClientAction::Disconnect { from, channel } => {
                self.close_connection(actor, from, channel);
            }
            ClientAction::Event(event) => {
                if let Some(process) = self
                    .actors
                    .get_mut(actor)
                    .and_then(|actor| actor.running_mut())
                {
                    process.application.hear(event, &mut self.journal);
                }
            }
        }
    }

    /// Notes when an actor wants to be woken, and whether its blocked call can go on.
    pub(super) fn note_actor(&mut self, actor: usize) {
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        let (mut client, mut program, mut can_proceed) = (None, None, false);
        if !slot.is_frozen {
            client = slot.next_client_wake().map(|wake| (wake.at, wake.sequence));
            program = slot.next_program_wake();
            can_proceed = slot
                .running()
                .is_some_and(|process| process.consumer.can_proceed());
        }
        self.queue
            .set_wake(MachineId::Client(actor), &mut slot.noted_client, client);
        self.queue
            .set_wake(MachineId::Program(actor), &mut slot.noted_program, program);
        if can_proceed && !slot.is_queued {
            slot.is_queued = true;
            let cause = self.journal.cause();
            self.queue.go_on(slot.name.clone(), actor, cause);
        }
    }

    /// The process ends, and with it its connections. The journal has begun.
    pub(super) fn end_process(&mut self, actor: usize, how: StopCause) {
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        let (name, number) = (slot.name.clone(), slot.process);
        let (restarts, companion) = match &mut slot.kind {
            ActorKind::Consumer(consumer) => {
                let Some(process) = consumer.running.take() else {
                    return;
                };
                let member = process.consumer.membership();
                for partition in process.consumer.owned() {
                    self.journal.note(FactKind::Release {
                        member: member.clone(),
                        partition,
                        cause: ReleaseCause::Crashed,
                    });
                }
                (consumer.restarts, consumer.companion)
            }
            ActorKind::Producer(producer) => {
                if producer.running.take().is_none() {
                    return;
                }
                (std::mem::take(&mut producer.restarts), None)
            }
            ActorKind::Feed(_) | ActorKind::Raw(_) | ActorKind::Tool(_) => return,
        };
        let restarts = restarts && how == StopCause::Closed;
        slot.is_frozen = false;
        let inbox = std::mem::take(&mut slot.inbox);
        let connections: Vec<_> = slot.connections.keys().copied().collect();
        self.journal.note_as_cause(FactKind::Stopped {
            actor: name,
            process: number,
            how,
        });
        for delivery in inbox {
            if let super::network::Delivery::Response(response) = delivery {
                let exchange = response.exchange;
                self.journal.note(FactKind::MessageLost { exchange });
            }
        }
        for (to, channel) in connections {
            self.close_connection(actor, to, channel);
        }
        self.note_actor(actor);
        if let Some(companion) = companion {
            self.end_process(companion, how);
        }
        if restarts {
            // Its configuration was checked when the restart was asked for.
            let started = self.start_again(actor);
            debug_assert!(started.is_ok(), "a checked restart starts");
        }
    }

    /// A new process of a consumer or producer that does not run.
    fn start_again(&mut self, actor: usize) -> Result<(), Refusal> {
        match self.actors.get(actor).map(|slot| &slot.kind) {
            Some(ActorKind::Producer(_)) => self.start_producing(actor),
            _ => self.start_consumer(actor),
        }
    }
}
