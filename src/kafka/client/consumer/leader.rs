//! What members tell the leader, and what the leader makes of it (`ConsumerCoordinator.metadata`,
//! `onLeaderElected`).

use super::join_state::{JoinFailure, JoinFuture};
use super::{Consumer, Cx, Timer};
use crate::kafka::api::{
    JoinGroupRequestProtocol, JoinGroupResponse, JoinGroupResponseMember,
    SyncGroupRequestAssignment,
};
use crate::kafka::assignor::{
    self, Assignor, ClusterTopics, Explain, MemberSubscription, RebalanceProtocol, TopicMetadata,
};
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::ids::{Bytes, MemberId, TopicName};
use crate::kafka::protocol::{
    Assignment, CooperativeUserData, HIGHEST_VERSION, StickyUserData, Subscription,
};
use crate::kafka::sorted::{SortedSet, sort_by};
use std::rc::Rc;

impl Consumer {
    /// The assignors of `partition.assignment.strategy` that the engine has.
    fn assignors(&self) -> impl Iterator<Item = Assignor> {
        let names = self.settings.config.partition_assignment_strategy.iter();
        names.filter_map(|name| Assignor::from_name(name))
    }

    /// The best protocol that all listed assignors support.
    pub(super) fn rebalance_protocol(&self) -> RebalanceProtocol {
        let cooperative = RebalanceProtocol::Cooperative;
        if self
            .assignors()
            .all(|assignor| assignor.supports(cooperative))
        {
            cooperative
        } else {
            RebalanceProtocol::Eager
        }
    }

    /// The Subscription for each assignor, in the order of preference.
    pub(super) fn join_group_protocols(&mut self) -> Vec<JoinGroupRequestProtocol> {
        let subscription = self.subscriptions.subscription().clone();
        let topics: Vec<TopicName> = subscription.iter().cloned().collect();
        self.join.joined_subscription = Some(subscription);
        let protocols = self.assignors().map(|assignor| {
            let data = Subscription {
                topics: topics.clone(),
                user_data: self.user_data(assignor),
                owned_partitions: self.subscriptions.assigned(),
                generation: self.subscription_generation(assignor),
                rack_id: self.subscription_rack(),
            };
            JoinGroupRequestProtocol {
                name: assignor.name().into(),
                metadata: data.encode(HIGHEST_VERSION),
            }
        });
        protocols.collect()
    }

    fn subscription_generation(&self, assignor: Assignor) -> i32 {
        match (self.settings.flavour, assignor) {
            (Flavour::Java, _) => self.group.current.generation.0,
            (Flavour::Librdkafka, Assignor::Range | Assignor::RoundRobin) => -1,
            // `rd_kafka_sticky_assignor_get_metadata`
            (Flavour::Librdkafka, Assignor::Sticky | Assignor::CooperativeSticky) => {
                let remembered = self.join.sticky.as_ref();
                remembered.map_or(-1, |(_, generation)| *generation)
            }
        }
    }

    fn subscription_rack(&self) -> Option<Rc<str>> {
        let rack = &self.settings.config.client_rack;
        match self.settings.flavour {
            Flavour::Java => (!rack.is_empty()).then(|| rack.clone()),
            Flavour::Librdkafka => Some(rack.clone()),
        }
    }

    fn user_data(&self, assignor: Assignor) -> Option<Bytes> {
        let java = self.settings.flavour == Flavour::Java;
        let nothing = || (!java).then(|| Bytes::from([]));
        match assignor {
            Assignor::Range | Assignor::RoundRobin => nothing(),
            Assignor::CooperativeSticky if java => {
                let generation = self.join.cooperative_generation;
                Some(CooperativeUserData { generation }.encode())
            }
            Assignor::Sticky | Assignor::CooperativeSticky => match &self.join.sticky {
                None => nothing(),
                Some((partitions, generation)) => {
                    let data = StickyUserData {
                        partitions: partitions.clone(),
                        generation: Some(*generation),
                    };
                    Some(data.encode_as_java())
                }
            },
        }
    }

    /// This member leads the generation. It needs metadata of every topic of the group.
    pub(super) fn on_leader_elected(&mut self, response: Rc<JoinGroupResponse>, cx: &mut Cx<'_>) {
        let topics: SortedSet<TopicName> = response
            .members
            .iter()
            .filter_map(|member| Subscription::decode(&member.metadata).ok())
            .flat_map(|subscription| subscription.topics)
            .collect();
        if self.subscriptions.group_subscribe(topics) {
            self.metadata.want_new_topics();
        }
        if self.leader_always_asks() {
            self.join.future = JoinFuture::AwaitingMetadata(response);
            if let Some(coordinator) = self.coordinator_node() {
                self.send_metadata_request(coordinator, Channel::Coordinator, cx);
            }
            return;
        }
        self.maybe_update_metadata(cx);
        if self.metadata.update_wanted || self.metadata.in_flight {
            self.join.future = JoinFuture::AwaitingMetadata(response);
        } else {
            self.join.future = JoinFuture::ReadyToAssign(response);
        }
    }

    /// Metadata has come: a leader that waited for it can assign.
    pub(super) fn leader_has_metadata(&mut self, _cx: &mut Cx<'_>) {
        if self.metadata.update_wanted || self.metadata.in_flight {
            return;
        }
        if let JoinFuture::AwaitingMetadata(response) = &self.join.future {
            self.join.future = JoinFuture::ReadyToAssign(response.clone());
        }
    }

    /// The assignor runs; that may take time.
    pub(super) fn begin_assigning(&mut self, response: Rc<JoinGroupResponse>, cx: &mut Cx<'_>) {
        self.maybe_update_subscription(cx);
        self.join.is_leader = true;
        let time = self.settings.assign_time;
        if time.0 > 0 && !response.skip_assignment {
            self.join.future = JoinFuture::Assigning(response);
            self.timers
                .set(Timer::Assigning, cx.now() + time, cx.journal);
        } else {
            self.finish_assigning(&response, cx);
        }
    }

    /// The assignor is done.
    pub(super) fn assigning_timer_fired(&mut self, cx: &mut Cx<'_>) {
        if let JoinFuture::Assigning(response) = &self.join.future {
            let response = response.clone();
            self.finish_assigning(&response, cx);
        }
        self.awake();
    }

    fn finish_assigning(&mut self, response: &JoinGroupResponse, cx: &mut Cx<'_>) {
        self.join.assignment_snapshot = Some(self.snapshot.clone());
        if response.skip_assignment {
            self.send_sync_group(Vec::new(), cx);
            return;
        }
        match self.assign(response) {
            Ok(assignments) => self.send_sync_group(assignments, cx),
            Err(failure) => self.join.future = JoinFuture::Done(Err(failure)),
        }
    }

    fn assign(
        &self,
        response: &JoinGroupResponse,
    ) -> Result<Vec<SyncGroupRequestAssignment>, JoinFailure> {
        let name = response.protocol_name.as_deref().unwrap_or("");
        let assignor = Assignor::from_name(name).ok_or_else(|| {
            let text = format!("Coordinator selected invalid assignment protocol: {name}");
            JoinFailure::Assignor(text.into())
        })?;
        let members: Vec<_> = response.members.iter().filter_map(to_member).collect();
        let topics = self.cluster_topics();
        let result = match (self.settings.flavour, assignor) {
            (Flavour::Librdkafka, Assignor::Sticky | Assignor::CooperativeSticky) => {
                let cooperative = assignor == Assignor::CooperativeSticky;
                assignor::assign_sticky(cooperative, &topics, &members)
            }
            _ => assignor::assign(assignor, &topics, &members, &mut Explain::off())
                .map_err(|error| JoinFailure::Assignor(error.to_string().into()))?,
        };
        let version = match self.settings.flavour {
            Flavour::Java => HIGHEST_VERSION,
            Flavour::Librdkafka => 0,
        };
        let mut shares = result.members;
        if self.settings.flavour == Flavour::Librdkafka {
            // Java walks a hash map, librdkafka its list of members.
            let place = |id: &MemberId| {
                let mut members = response.members.iter();
                members.position(|member| member.member_id == *id)
            };
            sort_by(&mut shares, |left, right| {
                place(&left.member_id).cmp(&place(&right.member_id))
            });
        }
        // librdkafka hands each member's own user data back to it (`rkgm_userdata`).
        let user_data = |id: &MemberId| match self.settings.flavour {
            Flavour::Java => None,
            Flavour::Librdkafka => {
                let mut members = members.iter();
                members
                    .find(|member| member.member_id == *id)?
                    .user_data
                    .clone()
            }
        };
        let encoded = shares.into_iter().map(|member| {
            let assignment = Assignment {
                partitions: member.partitions,
                user_data: user_data(&member.member_id),
            };
            SyncGroupRequestAssignment {
                member_id: member.member_id,
                assignment: assignment.encode(version),
            }
        });
        Ok(encoded.collect())
    }

    /// The topics as the leader knows them.
    fn cluster_topics(&self) -> ClusterTopics {
        let cluster = &self.metadata.cluster;
        let topics = cluster.topics.iter().map(|(name, topic)| {
            let racks = topic.partitions.iter().map(|partition| {
                let replicas = partition.replicas.iter();
                replicas
                    .filter_map(|id| cluster.brokers.get(id)?.rack.clone())
                    .collect()
            });
            let metadata = TopicMetadata {
                partitions: i32::try_from(topic.partitions.len()).unwrap_or(i32::MAX),
                replica_racks: racks.collect(),
            };
            (name.clone(), metadata)
        });
        ClusterTopics {
            topics: topics.collect(),
        }
    }
}

fn to_member(member: &JoinGroupResponseMember) -> Option<MemberSubscription> {
    let subscription = Subscription::decode(&member.metadata).ok()?;
    Some(MemberSubscription {
        member_id: member.member_id.clone(),
        group_instance_id: member.group_instance_id.clone(),
        rack_id: subscription.rack_id.filter(|rack| !rack.is_empty()),
        topics: subscription.topics,
        owned_partitions: subscription.owned_partitions,
        generation: subscription.generation,
        user_data: subscription.user_data,
    })
}
