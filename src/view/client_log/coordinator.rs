//! The log of a group's coordinator: that of `GroupMetadataManager` in Java, or of `GroupCoordinator` in Scala.

use super::{LogLevel, LogLine};
use crate::kafka::api::Request;
use crate::kafka::fact::{Fact, FactKind, GroupState, GroupWhy, RemovalCause};
use crate::kafka::ids::{BrokerId, GroupId, MemberId};
use crate::kafka::java_hash::coordinator_partition;
use crate::kafka::sorted::SortedMap;
use crate::world::setup::Coordinator;
use std::rc::Rc;

/// Lines that are kept; the oldest go first.
const LINES_KEPT: usize = 400;
const JAVA: &str = "org.apache.kafka.coordinator.group.GroupMetadataManager";
const SCALA: &str = "kafka.coordinator.group.GroupCoordinator";

/// What is known of a group.
#[derive(Clone, Debug, Default)]
struct Seen {
    state: Option<GroupState>,
    /// Members, and whether they are static.
    members: SortedMap<MemberId, bool>,
    leader: MemberId,
    pending: Vec<MemberId>,
}

/// The log of one group's coordinator, or of all groups.
#[derive(Clone, Debug)]
pub struct CoordinatorLog {
    group: GroupId,
    coordinator: Coordinator,
    prefix: Rc<str>,
    partition: i32,
    seen: Seen,
    /// Why a client said it joins or leaves, by its member id as the request has it.
    reasons: SortedMap<MemberId, Rc<str>>,
    lines: Vec<Rc<LogLine>>,
    left_out: u64,
    /// Somebody has asked somebody something: what came before was there at the beginning.
    has_begun: bool,
    /// The Scala coordinator tells of a leaving member after what follows from it.
    held: Option<String>,
}

impl CoordinatorLog {
    /// An empty log of a group that this broker coordinates, one of `partitions` partitions of
    /// `__consumer_offsets`.
    pub fn new(
        group: GroupId,
        coordinator: Coordinator,
        broker: BrokerId,
        partitions: i32,
    ) -> Self {
        let partition = coordinator_partition(&group, partitions);
        let prefix = match coordinator {
            Coordinator::New => format!(
                "[GroupCoordinator id={} topic=__consumer_offsets partition={partition}] ",
                broker.0
            ),
            Coordinator::Scala => format!("[GroupCoordinator {}]: ", broker.0),
        };
        Self {
            group,
            coordinator,
            prefix: prefix.into(),
            partition,
            seen: Seen::default(),
            reasons: SortedMap::new(),
            lines: Vec::new(),
            left_out: 0,
            has_begun: false,
            held: None,
        }
    }

    /// How many older lines were let go.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The lines, oldest first.
    pub fn lines(&self) -> &[Rc<LogLine>] {
        &self.lines
    }

    fn is_scala(&self) -> bool {
        self.coordinator == Coordinator::Scala
    }

    fn info(&mut self, fact: &Fact, text: String) {
        if !self.has_begun {
            return;
        }
        let logger = match self.coordinator {
            Coordinator::New => JAVA,
            Coordinator::Scala => SCALA,
        };
        self.lines.push(Rc::new(LogLine {
            at: fact.at,
            fact: fact.id,
            level: LogLevel::Info,
            prefix: self.prefix.clone(),
            text: text.into(),
            logger,
        }));
        if self.lines.len() > LINES_KEPT {
            let gone = LINES_KEPT / 4;
            self.lines.drain(..gone);
            self.left_out += gone as u64;
        }
    }

    fn reason(&self, member: &MemberId) -> Rc<str> {
        // A new member joined under the id that it has been given, or under none.
        let found = self.reasons.get(member);
        found.cloned().unwrap_or_else(|| "not provided".into())
    }

    fn state(&self) -> &'static str {
        self.seen.state.map_or("Empty", GroupState::name)
    }

    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact) {
        let follows = matches!(fact.kind, FactKind::GroupStateChanged { .. });
        if let Some(text) = self.held.take_if(|_| !follows) {
            self.info(fact, text);
        }
        match &fact.kind {
            FactKind::RequestSent { request, .. } => {
                self.has_begun = true;
                self.asked(request);
            }
            FactKind::MemberPending { group, member_id } if *group == self.group => {
                self.seen.pending.push(member_id.clone());
                let state = self.state();
                let text = match self.coordinator {
                    Coordinator::New => format!(
                        "Dynamic member with unknown member id joins group {group} in {state} state. \
                         Created a new member id {member_id} and requesting the member to rejoin with this id."
                    ),
                    Coordinator::Scala => format!(
                        "Dynamic member with unknown member id joins group {group} in {state} state. \
                         Created a new member id {member_id} and request the member to rejoin with this id."
                    ),
                };
                self.info(fact, text);
            }
            FactKind::MemberAdded {
                group,
                member_id,
                group_instance_id,
                replaces,
            } if *group == self.group => {
                let instance = group_instance_id.as_deref();
                self.added(fact, member_id, instance, replaces.as_ref());
            }
            FactKind::MemberRemoved {
                group,
                member_id,
                cause,
            } if *group == self.group => self.removed(fact, member_id, *cause),
            FactKind::LeaderElected { group, member_id } if *group == self.group => {
                self.seen.leader = member_id.clone();
            }
            FactKind::GroupStateChanged {
                group,
                to,
                generation,
                why,
                ..
            } if *group == self.group => {
                self.seen.state = Some(*to);
                self.state_changed(fact, *to, generation.0, why);
            }
            FactKind::JoinCompleted {
                group, generation, ..
            } if *group == self.group => {
                let (generation, count) = (generation.0, self.seen.members.len());
                let text = match self.is_scala() {
                    false => {
                        format!(
                            "Stabilized group {group} generation {generation} with {count} members."
                        )
                    }
                    true => format!(
                        "Stabilized group {group} generation {generation} (__consumer_offsets-{}) with \
                         {count} members",
                        self.partition
                    ),
                };
                self.info(fact, text);
            }
            FactKind::Assigned {
                group, generation, ..
            } if *group == self.group => {
                let members = &self.seen.members;
                let text = format!(
                    "Assignment received from leader {} for group {group} for generation {}. The group has {} \
                     members, {} of which are static.",
                    self.seen.leader,
                    generation.0,
                    members.len(),
                    members.values().filter(|is_static| **is_static).count()
                );
                self.info(fact, text);
            }
            _ => {}
        }
    }

    /// Clients say why they join or leave.
    fn asked(&mut self, request: &Request) {
        match request {
            Request::JoinGroup(join) if join.group_id == self.group => {
                let reason = join.reason.clone().filter(|reason| !reason.is_empty());
                match reason {
                    Some(reason) => self.reasons.insert(join.member_id.clone(), reason),
                    None => self.reasons.remove(&join.member_id),
                };
            }
            Request::LeaveGroup(leave) if leave.group_id == self.group => {
                for member in &leave.members {
                    if let Some(reason) = &member.reason {
                        self.reasons
                            .insert(member.member_id.clone(), reason.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn added(
        &mut self,
        fact: &Fact,
        member: &MemberId,
        instance: Option<&str>,
        replaces: Option<&MemberId>,
    ) {
        let (group, state) = (&self.group, self.state());
        let was_pending = self.seen.pending.iter().position(|one| one == member);
        let text = match (instance, replaces) {
            (Some(instance), Some(old)) => format!(
                "Static member with groupInstanceId={instance} and unknown member id joins group {group} in \
                 {state} state. Replacing previously mapped member {old} with this groupInstanceId."
            ),
            (Some(instance), None) => {
                let ending = match self.is_scala() {
                    false => "for this member and added to the group.",
                    true => "for this member and add to the group.",
                };
                format!(
                    "Static member with groupInstanceId={instance} and unknown member id joins group {group} \
                     in {state} state. Created a new member id {member} {ending}"
                )
            }
            (None, _) if was_pending.is_some() => format!(
                "Pending dynamic member with id {member} joins group {group} in {state} state. Adding to the \
                 group now."
            ),
            (None, _) => format!(
                "Dynamic member with unknown member id joins group {group} in state {state}. Created a new \
                 member id {member} and added the member to the group."
            ),
        };
        if let Some(place) = was_pending {
            self.seen.pending.remove(place);
        }
        if let Some(old) = replaces {
            self.seen.members.remove(old);
        }
        self.seen.members.insert(member.clone(), instance.is_some());
        self.info(fact, text);
    }

    fn removed(&mut self, fact: &Fact, member: &MemberId, cause: RemovalCause) {
        let is_pending = self.seen.pending.iter().position(|one| one == member);
        if let Some(place) = is_pending {
            self.seen.pending.remove(place);
        }
        self.seen.members.remove(member);
        let group = &self.group;
        let stop = if self.is_scala() { "" } else { "." };
        let text = match cause {
            RemovalCause::SessionExpired if is_pending.is_some() => format!(
                "Pending member {member} in group {group} has been removed after session timeout expiration."
            ),
            RemovalCause::SessionExpired => {
                format!(
                    "Member {member} in group {group} has failed, removing it from the group{stop}"
                )
            }
            RemovalCause::Left | RemovalCause::RemovedByAdmin => {
                let reason = self.reason(member);
                match self.is_scala() {
                    false => format!(
                        "[Group {group}] Member {member} has left group through explicit `LeaveGroup` \
                         request; client reason: {reason}"
                    ),
                    true => {
                        self.held = Some(format!(
                            "Member {member} has left group {group} through explicit `LeaveGroup`; client \
                             reason: {reason}"
                        ));
                        return;
                    }
                }
            }
            RemovalCause::RebalanceTimeout => {
                format!("Group {group} removed dynamic members who haven't joined: [{member}]")
            }
            // At level DEBUG, or told with what follows.
            RemovalCause::SyncTimeout | RemovalCause::GroupFull | RemovalCause::Fenced => return,
        };
        self.info(fact, text);
    }

    fn state_changed(&mut self, fact: &Fact, to: GroupState, generation: i32, why: &GroupWhy) {
        if *why == GroupWhy::Created {
            return;
        }
        let group = &self.group;
        let text = match (to, self.is_scala()) {
            (GroupState::PreparingRebalance, false) => format!(
                "Preparing to rebalance group {group} in state {} with old generation {generation} (reason: {}).",
                to.name(),
                self.why(why)
            ),
            (GroupState::PreparingRebalance, true) => format!(
                "Preparing to rebalance group {group} in state {} with old generation {generation} \
                 (__consumer_offsets-{}) (reason: {})",
                to.name(),
                self.partition,
                self.why(why)
            ),
            (GroupState::Empty, false) => {
                format!("Group {group} with generation {generation} is now empty.")
            }
            (GroupState::Empty, true) => format!(
                "Group {group} with generation {generation} is now empty (__consumer_offsets-{})",
                self.partition
            ),
            _ => return,
        };
        self.info(fact, text);
        if let Some(text) = self.held.take() {
            self.info(fact, text);
        }
    }

    /// The reason that stands in `Preparing to rebalance group`.
    fn why(&self, why: &GroupWhy) -> String {
        let stop = if self.is_scala() { "" } else { "." };
        let state = "Stable";
        match why {
            GroupWhy::MemberJoined(member) => {
                let is_static = self.seen.members.get(member).copied().unwrap_or_default();
                let instance = match (is_static, self.is_scala()) {
                    (false, true) => "None".to_owned(),
                    (false, false) => "null".to_owned(),
                    // A static member's id begins with its instance id; a UUID follows.
                    (true, scala) => {
                        let length = member
                            .len()
                            .saturating_sub("-00000000-0000-0000-0000-000000000000".len());
                        let instance = member.get(..length).unwrap_or_default();
                        if scala {
                            format!("Some({instance})")
                        } else {
                            instance.to_owned()
                        }
                    }
                };
                format!(
                    "Adding new member {member} with group instance id {instance}; client reason: {}",
                    self.reason(member)
                )
            }
            GroupWhy::MemberChanged(member) => format!(
                "Updating metadata for member {member} during {state}; client reason: {}",
                self.reason(member)
            ),
            GroupWhy::LeaderRejoined(member) => {
                format!(
                    "Leader {member} re-joining group during {state}; client reason: {}",
                    self.reason(member)
                )
            }
            GroupWhy::StaticMemberReplaced(instance) => format!(
                "Group's selectedProtocol will change because static member with instance id {instance} joined \
                 with change of protocol; client reason: not provided"
            ),
            GroupWhy::MemberLeft(member) => match self.is_scala() {
                true => format!(
                    "Removing member {member} on LeaveGroup; client reason: {}",
                    self.reason(member)
                ),
                false => format!("explicit `LeaveGroup` request for ({member}) members."),
            },
            GroupWhy::SessionExpired(member) => {
                format!("removing member {member} on heartbeat expiration{stop}")
            }
            GroupWhy::SyncTimeout => {
                "Removing members on pending sync request expiration".to_owned()
            }
            GroupWhy::AssignmentNotStored(error) => {
                format!(
                    "Error {} when storing group assignment during SyncGroup",
                    error.name()
                )
            }
            _ => "not provided".to_owned(),
        }
    }
}
