//! Korean: what happened, why, and what cannot be done.

use super::bound;
use super::by_topic;
use super::ko_admin;
use crate::kafka::config::{ConfigError, Takes};
use crate::scenario::{BadScenario, Complaint};
use crate::view::event::Event;
use crate::view::{
    Callback, CommitKind, Exception, FactKind, GroupWhy, Party, PositionCause, ReleaseCause,
    RemovalCause, StopCause, TopicPartition, Why,
};
use crate::world::command::{Command, FaultKind, RawRequest, Refusal, Rollout};

/// Shares that a sentence names.
const SHARES_MOST: usize = 8;

fn list(partitions: &[TopicPartition]) -> String {
    match partitions {
        [] => "없음".to_string(),
        few => few
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn party(party: &Party) -> String {
    match party {
        Party::Broker(id) => format!("브로커 {}", id.0),
        Party::Client(name) => name.to_string(),
    }
}

/// A sentence for an event.
pub fn event(event: &Event) -> String {
    let who = event.who.as_ref().map_or("어느", |name| name.as_str());
    let api = event.api.map_or("요청", |api| api.name());
    match &event.kind {
        FactKind::Act { .. } => event
            .command
            .as_ref()
            .map_or_else(|| "조작.".to_string(), |c| command(c)),
        FactKind::TimerFired { party: whose, why } => {
            format!("{}의 타이머: {}.", party(whose), timer(why))
        }
        FactKind::Started { actor, process } if *process > 1 => {
            format!("{actor} 프로세스가 다시 시작되었습니다({process}번째).")
        }
        FactKind::Started { actor, .. } => format!("{actor} 프로세스가 시작되었습니다."),
        FactKind::Stopped { actor, how, .. } => match how {
            StopCause::Closed => format!("{actor} 컨슈머가 정상 종료되었습니다."),
            StopCause::Killed => format!(
                "{actor} 컨슈머가 강제 종료되었습니다. 코디네이터는 아직 모르며 세션 타임아웃을 기다립니다."
            ),
            StopCause::Failed => {
                format!("{actor} 컨슈머가 예외로 종료되었습니다. close()는 호출되지 않았습니다.")
            }
        },
        FactKind::Frozen { actor } => {
            format!("{actor} 컨슈머가 동결되었습니다. 하트비트도 poll() 호출도 없습니다.")
        }
        FactKind::Thawed { actor } => format!("{actor} 컨슈머의 동결이 해제되었습니다."),
        FactKind::RequestSent {
            from, to, request, ..
        } => format!(
            "{from} → 브로커 {}: {} 요청을 보냅니다.",
            to.0,
            request.api().name()
        ),
        FactKind::RequestReceived { .. } => format!("{who} 멤버의 {api} 요청이 도착했습니다."),
        FactKind::RequestParked { .. } => format!("브로커가 {who} 멤버의 {api} 응답을 미룹니다."),
        FactKind::ResponseSent { response, .. } if response.error().is_none() => format!(
            "브로커가 {who} 클라이언트에 {} 응답을 보냅니다.",
            response.api().name()
        ),
        FactKind::ResponseSent { response, .. } => {
            let error = response.error();
            format!(
                "브로커가 {who} 클라이언트의 {} 요청에 {} {} 오류로 응답합니다.",
                response.api().name(),
                error.code(),
                error.name()
            )
        }
        FactKind::ResponseReceived { .. } => format!("{who} 클라이언트가 {api} 응답을 받았습니다."),
        FactKind::MessageLost { .. } => {
            format!("{who} 클라이언트의 {api} 요청이나 그 응답이 사라졌습니다.")
        }
        FactKind::PartitionCreated { partition, leader } => format!(
            "{partition} 파티션이 생겼습니다. 리더는 브로커 {}입니다.",
            leader.0
        ),
        FactKind::PartitionDeleted { partition } => {
            format!("{partition} 파티션이 레코드와 함께 사라졌습니다.")
        }
        FactKind::Append {
            partition,
            base,
            next,
            ..
        } => format!(
            "{partition}: 오프셋 {}부터 레코드 {}건이 추가되었습니다.",
            base.0,
            next.0 - base.0
        ),
        FactKind::HwAdvance { partition, offset } => {
            format!("{partition}: 하이 워터마크 {}.", offset.0)
        }
        FactKind::LogStartAdvance { partition, offset } => {
            format!("{partition}: 로그 시작 오프셋 {}.", offset.0)
        }
        FactKind::GroupStateChanged {
            group,
            from,
            to,
            why,
            ..
        } => format!(
            "{group}: {} → {}. {}",
            from.name(),
            to.name(),
            group_why(why, who)
        ),
        FactKind::MemberPending { .. } => {
            format!("{who} 컨슈머가 멤버 ID를 받았고 그 ID로 다시 참여해야 합니다.")
        }
        FactKind::MemberAdded {
            replaces: Some(_), ..
        } => format!("{who} 컨슈머가 정적 멤버로서 이전 프로세스의 자리를 이어받았습니다."),
        FactKind::MemberAdded { .. } => format!("코디네이터가 {who} 멤버를 등록했습니다."),
        FactKind::MemberRemoved { cause, .. } => format!(
            "코디네이터가 {who} 멤버를 제외했습니다. 이유: {}.",
            removal(*cause)
        ),
        FactKind::LeaderElected { .. } => format!("그룹 리더: {who}."),
        FactKind::JoinCompleted {
            generation,
            protocol,
            ..
        } => format!(
            "모든 멤버가 참여했습니다. {}세대, {protocol}, 리더 {who}.",
            generation.0
        ),
        FactKind::Assigned {
            group, generation, ..
        } => {
            let shares = event.shares.iter().map(|(name, partitions)| {
                if partitions.is_empty() {
                    format!("{name}: 없음")
                } else {
                    format!("{name}: {}", by_topic(partitions.iter()))
                }
            });
            let shares: Vec<_> = shares.take(SHARES_MOST).collect();
            format!(
                "{group} 그룹의 {}세대 할당이 적용되었습니다. {}{}.",
                generation.0,
                shares.join(" / "),
                if event.shares.len() > SHARES_MOST {
                    " …"
                } else {
                    ""
                }
            )
        }
        FactKind::CommitStored {
            partition, offset, ..
        } => format!("{partition}: 커밋된 오프셋 {} 저장됨.", offset.0),
        FactKind::CommitRemoved { partition, .. } => {
            format!("{partition}: 커밋된 오프셋이 삭제되었습니다.")
        }
        FactKind::MemberStateChanged { member, from, to } => {
            format!("{}: {from:?} → {to:?}.", member.actor)
        }
        FactKind::CallbackCalled {
            member,
            callback: called,
            partitions,
        } => format!(
            "{}: {} 호출, 파티션: {}.",
            member.actor,
            callback(*called),
            list(partitions)
        ),
        FactKind::CallbackReturned {
            member,
            callback: called,
        } => format!("{}: {} 반환.", member.actor, callback(*called)),
        FactKind::Acquire { member, partition } => {
            format!("{} 멤버가 {partition} 파티션을 소유합니다.", member.actor)
        }
        FactKind::Release {
            member,
            partition,
            cause,
        } => format!(
            "{} 멤버의 {partition} 파티션 소유가 끝났습니다. 이유: {}.",
            member.actor,
            release(*cause)
        ),
        FactKind::PositionSet {
            member,
            partition,
            offset,
            cause,
        } => format!(
            "{} 멤버가 {partition} 파티션을 오프셋 {}부터 읽습니다. 기준: {}.",
            member.actor,
            offset.0,
            position(*cause)
        ),
        FactKind::Deliver {
            member,
            partition,
            base,
            ..
        } if event.again.is_some() => format!(
            "{} 멤버에 {partition} 레코드 {}건이 오프셋 {}부터 다시 전달되었습니다.",
            member.actor,
            event.again.unwrap_or(0),
            base.0
        ),
        FactKind::Deliver {
            member,
            partition,
            base,
            next,
        } => format!(
            "{} 멤버에 {partition} 레코드 {}건 전달, 오프셋 {}~{}.",
            member.actor,
            next.0 - base.0,
            base.0,
            next.0 - 1
        ),
        FactKind::Done {
            member,
            partition,
            base,
            next,
        } => format!(
            "{} 멤버가 {partition} 레코드 {}건 처리 완료, 오프셋 {}~{}.",
            member.actor,
            next.0 - base.0,
            base.0,
            next.0 - 1
        ),
        FactKind::GivenUp {
            member,
            partition,
            offset,
        } => format!(
            "{} 컨슈머가 {partition} 파티션의 오프셋 {} 레코드를 처리하지 못해 건너뜁니다.",
            member.actor, offset.0
        ),
        FactKind::Forwarded {
            member,
            partition,
            offset,
            to,
            to_offset,
        } => format!(
            "{} 컨슈머가 {partition} 파티션의 오프셋 {} 레코드를 처리하지 못해 {to} 파티션에 오프셋 {} 레코드로 보냈습니다.",
            member.actor, offset.0, to_offset.0
        ),
        FactKind::CommitStarted { member, kind, .. } => {
            format!("{}: 커밋 시작 ({}).", member.actor, commit(*kind))
        }
        FactKind::CommitFinished {
            member,
            kind,
            error: None,
        } => format!("{}: 커밋 완료 ({}).", member.actor, commit(*kind)),
        FactKind::CommitFinished {
            member,
            kind,
            error: Some(error),
        } => format!(
            "{}: 커밋 실패 ({}): {}.",
            member.actor,
            commit(*kind),
            exception(error)
        ),
        FactKind::SubscriptionChanged { member, topics, .. } => {
            let topics: Vec<_> = topics.iter().map(|topic| topic.as_str()).collect();
            format!(
                "{}: 구독 토픽: {}.",
                member.actor,
                if topics.is_empty() {
                    "없음".to_string()
                } else {
                    topics.join(", ")
                }
            )
        }
        FactKind::PauseChanged {
            member,
            partition,
            paused: true,
        } => format!("{}: {partition} 읽기 중지.", member.actor),
        FactKind::PauseChanged {
            member,
            partition,
            paused: false,
        } => format!("{}: {partition} 읽기 재개.", member.actor),
        FactKind::PollTimeoutExpired { member } => format!(
            "{} 컨슈머가 max.poll.interval.ms 동안 poll()을 호출하지 않아 그룹에서 나갑니다.",
            member.actor
        ),
        FactKind::Thrown {
            actor,
            exception: thrown,
            ..
        } => format!("{actor}: {}.", exception(thrown)),
        FactKind::AdminFinished { task, refusal, .. } => ko_admin::finished(task, refusal.as_ref()),
        FactKind::RecordAccumulated {
            actor, partition, ..
        } => format!("{actor}: {partition} 레코드가 버퍼에 쌓임."),
        FactKind::BatchSent {
            actor,
            partition,
            records,
            ..
        } => format!("{actor}: {partition} 레코드 {records}건 전송."),
        FactKind::BatchAcknowledged {
            actor,
            partition,
            records,
            ..
        } => format!("{actor}: {partition} 레코드 {records}건 기록됨."),
        FactKind::BatchFailed {
            actor,
            partition,
            error,
            ..
        } => format!(
            "{actor}: {partition} 배치 실패, {} {}.",
            error.code(),
            error.name()
        ),
    }
}

fn group_why(why: &GroupWhy, who: &str) -> String {
    match why {
        GroupWhy::Created => "새 그룹입니다.".to_string(),
        GroupWhy::MemberJoined(_) => format!("{who} 컨슈머가 참여하려고 합니다."),
        GroupWhy::MemberChanged(_) => format!("{who} 멤버가 다른 메타데이터로 다시 참여합니다."),
        GroupWhy::LeaderRejoined(_) => format!("리더 {who} 멤버가 다시 참여합니다."),
        GroupWhy::StaticMemberReplaced(id) => {
            format!("정적 멤버 {id} 인스턴스가 돌아왔고 그룹은 그대로 이어갈 수 없습니다.")
        }
        GroupWhy::MemberLeft(_) => format!("{who} 멤버가 탈퇴했습니다."),
        GroupWhy::SessionExpired(_) => format!("{who} 멤버의 세션이 만료되었습니다."),
        GroupWhy::AllJoined => "모든 멤버가 참여했습니다.".to_string(),
        GroupWhy::InitialDelayOver => "초기 대기 시간이 끝났습니다.".to_string(),
        GroupWhy::RebalanceTimeout => {
            "리밸런스 타임아웃이 지나 참여하지 않은 멤버는 제외됩니다.".to_string()
        }
        GroupWhy::LastMemberLeft => "남은 멤버가 없습니다.".to_string(),
        GroupWhy::AssignmentStored => "할당이 저장되어 모든 멤버가 자기 몫을 받습니다.".to_string(),
        GroupWhy::AssignmentNotStored(error) => format!(
            "할당을 저장하지 못했습니다: {} {}.",
            error.code(),
            error.name()
        ),
        GroupWhy::SyncTimeout => "제때 SyncGroup 요청을 보내지 않은 멤버가 있습니다.".to_string(),
        GroupWhy::Deleted => "그룹이 삭제되었습니다.".to_string(),
    }
}

const fn removal(cause: RemovalCause) -> &'static str {
    match cause {
        RemovalCause::SessionExpired => "세션 타임아웃",
        RemovalCause::Left => "탈퇴",
        RemovalCause::RemovedByAdmin => "관리자의 멤버 제거",
        RemovalCause::RebalanceTimeout => "제때 참여하지 않음",
        RemovalCause::SyncTimeout => "제때 SyncGroup 요청을 보내지 않음",
        RemovalCause::GroupFull => "그룹 인원 초과",
        RemovalCause::Fenced => "같은 group.instance.id의 새 프로세스가 있음",
    }
}

const fn release(cause: ReleaseCause) -> &'static str {
    match cause {
        ReleaseCause::EagerRevoke => "eager 리밸런스로 모두 회수됨",
        ReleaseCause::CooperativeRevoke => "새 할당에 없음",
        ReleaseCause::Lost => "멤버 자격 상실",
        ReleaseCause::Closed => "정상 종료",
        ReleaseCause::Crashed => "프로세스 강제 종료",
        ReleaseCause::Unsubscribed => "토픽 구독 해제",
    }
}

const fn position(cause: PositionCause) -> &'static str {
    match cause {
        PositionCause::Committed => "커밋된 오프셋",
        PositionCause::ResetEarliest => "auto.offset.reset=earliest",
        PositionCause::ResetLatest => "auto.offset.reset=latest",
        PositionCause::Seek => "seek()",
        PositionCause::Truncation => "로그가 잘림",
    }
}

const fn callback(callback: Callback) -> &'static str {
    match callback {
        Callback::Revoked => "onPartitionsRevoked()",
        Callback::Assigned => "onPartitionsAssigned()",
        Callback::Lost => "onPartitionsLost()",
    }
}

const fn commit(kind: CommitKind) -> &'static str {
    match kind {
        CommitKind::Sync => "commitSync()",
        CommitKind::Async => "commitAsync()",
        CommitKind::Auto => "enable.auto.commit",
    }
}

fn exception(exception: &Exception) -> String {
    let name = exception.name();
    match exception {
        Exception::CommitFailed => format!("{name}, 더 이상 그룹의 멤버가 아님"),
        Exception::FencedInstanceId => {
            format!("{name}, 같은 group.instance.id의 다른 프로세스가 있음")
        }
        Exception::NoOffsetForPartition(partition) | Exception::OffsetOutOfRange(partition) => {
            format!("{name}, {partition}")
        }
        Exception::RecordDeserialization(partition, offset) => {
            format!("{name}, {partition} 오프셋 {}", offset.0)
        }
        Exception::IllegalState(words) => format!("{name}: {words}"),
        Exception::RebalanceInProgress | Exception::Timeout | Exception::Kafka(_) => name.into(),
    }
}

fn timer(why: &Why) -> String {
    match why {
        Why::SessionTimeout(..) => "멤버의 세션 만료 (session.timeout.ms)",
        Why::InitialDelay(_) => "초기 대기 종료 (group.initial.rebalance.delay.ms)",
        Why::RebalanceTimeout(_) => "리밸런스 타임아웃",
        Why::SyncTimeout(_) => "SyncGroup 대기 종료",
        Why::GroupAppend(_) => "__consumer_offsets 기록 완료",
        Why::OffsetsRetentionCheck => "만료된 오프셋 확인",
        Why::FetchMaxWait => "Fetch 대기 종료 (fetch.max.wait.ms)",
        Why::LogRetentionCheck => "오래된 세그먼트 확인",
        Why::HeartbeatInterval => "하트비트 시각 (heartbeat.interval.ms)",
        Why::ClientSessionTimeout => "session.timeout.ms 동안 하트비트 응답 없음",
        Why::MaxPollInterval => "max.poll.interval.ms 동안 poll() 호출 없음",
        Why::AutoCommitInterval => "자동 커밋 시각 (auto.commit.interval.ms)",
        Why::RetryBackoff => "재시도 대기 종료 (retry.backoff.ms)",
        Why::RequestTimeout => "request.timeout.ms 동안 응답 없음",
        Why::MetadataMaxAge => "메타데이터 갱신 시각 (metadata.max.age.ms)",
        Why::Assigning => "리더의 할당 계산 완료",
        Why::CallTimeout => "호출 제한 시간 종료",
        Why::Application => "애플리케이션 계속",
        Why::ProducerRate => "다음 레코드 시각",
        Why::Linger => "배치 대기 종료 (linger.ms)",
        Why::DeliveryTimeout => "배치 만료 (delivery.timeout.ms)",
    }
    .to_string()
}

/// A sentence for an act.
pub fn command(command: &Command) -> String {
    match command {
        Command::AddConsumers { consumers } => {
            let names: Vec<_> = consumers
                .iter()
                .map(|consumer| consumer.name.as_str())
                .collect();
            format!("조작: {} 컨슈머 추가.", names.join(", "))
        }
        Command::Close { actor } => format!("조작: {actor} 정상 종료."),
        Command::Kill { actor } => format!("조작: {actor} 강제 종료."),
        Command::Freeze { actor } => format!("조작: {actor} 동결."),
        Command::Thaw { actor } => format!("조작: {actor} 동결 해제."),
        Command::Restart { actor, .. } => format!("조작: {actor} 재시작."),
        Command::SetConfig { actor, name, value } if value.is_empty() => {
            format!("조작: {actor}의 {name} 설정을 기본값으로 되돌림.")
        }
        Command::SetConfig { actor, name, value } => {
            format!("조작: {actor}의 설정 {name}={value}, 다음 시작부터 적용.")
        }
        Command::SetBrokerConfig {
            broker,
            name,
            value,
        } if value.is_empty() => {
            format!(
                "조작: 브로커 {}의 {name} 설정을 기본값으로 되돌림.",
                broker.0
            )
        }
        Command::SetBrokerConfig {
            broker,
            name,
            value,
        } => format!("조작: 브로커 {}의 설정 {name}={value}.", broker.0),
        Command::SetHandler {
            actor,
            time_per_record,
        } => format!("조작: {actor}의 레코드당 처리 시간 {time_per_record}ms."),
        Command::Stall { actor, length } => {
            format!("조작: {actor} 컨슈머가 {length}ms 동안 poll()을 호출하지 않음.")
        }
        Command::SetCommitStyle { actor, .. } => format!("조작: {actor}의 커밋 방식 변경."),
        Command::SetApplication { actor, .. } => format!("조작: {actor}의 애플리케이션 변경."),
        Command::SetReads { actor, .. } => format!("조작: {actor}의 구독 변경."),
        Command::SwitchAssignor {
            group,
            strategy,
            how,
        } => {
            let how = match how {
                Rollout::FullRestart => "전체 재시작",
                Rollout::RollingBounce => "순차 변경",
            };
            format!(
                "조작: {group} 그룹의 partition.assignment.strategy={}, {how}.",
                strategy.join(",")
            )
        }
        Command::Pause { actor, partitions } => {
            format!("조작: {actor} 읽기 중지, {}.", list(partitions))
        }
        Command::Resume { actor, partitions } => {
            format!("조작: {actor} 읽기 재개, {}.", list(partitions))
        }
        Command::Seek {
            actor,
            partition,
            offset,
        } => format!("조작: {actor}의 {partition} 위치를 {}에 맞춤.", offset.0),
        Command::EnforceRebalance { actor } => format!("조작: {actor} 멤버가 리밸런스를 요구함."),
        Command::Commit { actor, .. } => format!("조작: {actor} 커밋."),
        Command::AddProducer { producer } => format!("조작: {} 프로듀서 추가.", producer.name),
        Command::StartProducer { actor } => format!("조작: {actor} 시작."),
        Command::StopProducer { actor } => format!("조작: {actor} 중지."),
        Command::SendRecord { actor, .. } => format!("조작: {actor} 레코드 1건 전송."),
        Command::SetRate { actor, every } => format!("조작: {actor} 레코드 간격 {every}ms."),
        Command::SetKeys { actor, .. } => format!("조작: {actor}의 키 변경."),
        Command::SetSize { actor, size_bytes } => {
            format!("조작: {actor}의 레코드 크기 {size_bytes}바이트.")
        }
        Command::CreateTopic { topic } => format!("조작: {} 토픽 생성.", topic.name),
        Command::AddPartitions { topic, total } => format!("조작: {topic} 파티션 {total}개."),
        Command::Poison { partition, offset } => format!(
            "조작: {partition} 오프셋 {}의 레코드를 불량으로 만듦.",
            offset.0
        ),
        Command::Corrupt { partition, offset } => format!(
            "조작: {partition} 오프셋 {}의 레코드를 역직렬화할 수 없게 만듦.",
            offset.0
        ),
        Command::Send { client, request } => match request {
            RawRequest::OffsetCommit { group, .. } => {
                format!("조작: {client}에서 {group} 그룹의 오프셋 커밋.")
            }
            RawRequest::LeaveGroup { group, .. } => {
                format!("조작: {client}에서 {group} 그룹의 정적 멤버 제거.")
            }
        },
        Command::Admin(act) => ko_admin::act(act),
        Command::Fault { api, what, .. } => match what {
            FaultKind::DropRequest => format!("조작: 다음 {api} 요청 버리기."),
            FaultKind::HoldRequest { length } => {
                format!("조작: 다음 {api} 요청을 {length}ms 붙잡음.")
            }
            FaultKind::AnswerWithError { code } => {
                format!("조작: 다음 {api} 요청에 오류 {code} 응답.")
            }
            FaultKind::DropResponse => format!("조작: 다음 {api} 응답 버리기."),
            FaultKind::HoldResponse { length } => {
                format!("조작: 다음 {api} 응답을 {length}ms 붙잡음.")
            }
        },
    }
}

/// Why something cannot be done.
pub fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::UnknownActor(name) => format!("{name} 이름의 클라이언트가 없습니다."),
        Refusal::NameTaken(name) => format!("{name} 이름은 이미 쓰이고 있습니다."),
        Refusal::NotAConsumer(name) => format!("{name} 클라이언트는 컨슈머가 아닙니다."),
        Refusal::NotAProducer(name) => format!("{name} 클라이언트는 프로듀서가 아닙니다."),
        Refusal::NotRunning(name) => format!("{name} 프로세스가 실행 중이 아닙니다."),
        Refusal::Frozen(name) => format!("{name} 프로세스가 동결되어 있습니다."),
        Refusal::NotFrozen(name) => format!("{name} 프로세스는 동결되어 있지 않습니다."),
        Refusal::Closing(name) => format!("{name} 컨슈머가 종료 중입니다."),
        Refusal::NotAssigned(name, partition) => {
            format!("{name} 컨슈머는 {partition} 파티션의 소유자가 아닙니다.")
        }
        Refusal::UnknownGroup(group) => format!("{group} 그룹에서 실행 중인 컨슈머가 없습니다."),
        Refusal::UnknownBroker(id) => format!("브로커 {} 없음.", id.0),
        Refusal::NotDynamic(name) => {
            format!("{name} 설정은 브로커가 시작할 때만 읽으므로 실행 중에는 바꿀 수 없습니다.")
        }
        Refusal::UnknownTopic(topic) => format!("{topic} 토픽이 없습니다."),
        Refusal::TopicExists(topic) => format!("{topic} 토픽이 이미 있습니다."),
        Refusal::UnknownPartition(partition) => format!("{partition} 파티션이 없습니다."),
        Refusal::OwnedTwice(partition) => {
            format!("한 세대에서 {partition} 파티션의 소유자는 하나뿐이어야 합니다.")
        }
        Refusal::FewerPartitions { topic, has } => format!(
            "{topic} 토픽의 파티션은 {has}개입니다. 카프카에서는 파티션을 줄일 수 없습니다."
        ),
        Refusal::OutOfRange {
            what: "every_ms", ..
        } => "레코드 간격은 1µs 이상 1년 이하입니다. 초당 최대 1,000,000건입니다.".to_string(),
        Refusal::OutOfRange {
            what,
            least,
            most: i64::MAX,
        } => format!(
            "{} 값은 {} 이상이어야 합니다.",
            of_what(what),
            bound(what, *least)
        ),
        Refusal::OutOfRange { what, least, most } => format!(
            "{} 값은 {}~{} 범위여야 합니다.",
            of_what(what),
            bound(what, *least),
            bound(what, *most)
        ),
        Refusal::Config(error) => config_error(error),
        Refusal::UnknownApi(name) => format!("{name} API가 없습니다."),
        Refusal::UnknownError(code) => format!("카프카에 번호가 {code}인 오류는 없습니다."),
        Refusal::BadPattern(text) => format!("{text}: 여기에서 쓸 수 없는 패턴입니다."),
        Refusal::BadReplicas => {
            "레플리카는 서로 다른, 실제로 있는 브로커에 있어야 합니다.".to_string()
        }
        Refusal::Nothing(what) => {
            format!("할 일이 없습니다: {} 항목이 비어 있습니다.", of_what(what))
        }
        Refusal::TooMany { what, most } => format!("{} 항목은 최대 {most}개입니다.", of_what(what)),
    }
}

/// What a number is of, where the engine names a field.
fn of_what(what: &'static str) -> &'static str {
    match what {
        "hot_percent" => "핫 키의 비율(%)",
        "count" => "서로 다른 키의 수",
        "size_bytes" => "레코드 크기(바이트)",
        "total" | "partitions" => "파티션 수",
        "offset" | "offsets" => "오프셋",
        "for_ms" | "length_ms" => "시간(ms)",
        "time_per_record_ms" => "레코드당 처리 시간(ms)",
        "callback_time_ms" => "콜백 시간(ms)",
        "time_spread_percent" => "처리 시간의 편차(%)",
        "threads" => "스레드 수",
        "queue_max" => "스레드를 기다리는 레코드 수",
        "records" => "레코드 수",
        "batch" => "배치의 레코드 수",
        "replication_factor" => "복제 팩터",
        "strategy" => "할당자 목록",
        "consumers" => "컨슈머 목록",
        "group_instance_ids" => "인스턴스 ID 목록",
        "actors" => "클라이언트",
        "faults" => "대기 중인 메시지 방해",
        "tasks" => "동시에 실행하는 관리 작업",
        other => other,
    }
}

/// Why a configuration is refused.
pub fn config_error(error: &ConfigError) -> String {
    match error {
        ConfigError::UnknownName(name) => format!("{name} 설정이 없습니다."),
        ConfigError::BadValue { name, value, takes } => format!(
            "{name} 설정에 “{value}” 값을 쓸 수 없습니다. {}",
            takes_text(*takes)
        ),
        ConfigError::NotBelow { name, other } => {
            format!("{name} 설정은 {other} 설정보다 작아야 합니다.")
        }
        ConfigError::DeliveryTimeoutTooShort => {
            "delivery.timeout.ms 설정은 linger.ms + request.timeout.ms 이상이어야 합니다."
                .to_string()
        }
        ConfigError::UnknownAssignor(name) => {
            format!("{name} 할당자가 없거나 다른 할당자와 공통된 리밸런스 프로토콜이 없습니다.")
        }
        ConfigError::NoGroupId => "subscribe()에는 group.id 설정이 필요합니다.".to_string(),
    }
}

fn takes_text(takes: Takes) -> String {
    match takes {
        Takes::Number { least, most } => format!("{least}~{most} 범위의 정수여야 합니다."),
        Takes::Choice(words) => format!("가능한 값: {}.", words.join(", ")),
        Takes::List => "쉼표로 구분한 목록이어야 합니다.".to_string(),
        Takes::Text => "텍스트여야 합니다.".to_string(),
        Takes::TopicCharacters => {
            "글자, 숫자, '.', '_', '-'만 249자까지 쓸 수 있습니다.".to_string()
        }
    }
}

/// Where and why a scenario file is refused.
pub fn bad_scenario(problem: &BadScenario) -> String {
    let reason = where_and_why(problem);
    format!("시나리오를 열지 못했고 실행 중인 시나리오는 그대로입니다. {reason}")
}

/// The place and the reason.
pub fn where_and_why(problem: &BadScenario) -> String {
    let place = match (&problem.variant, problem.path.as_str()) {
        (None, "") => "전체".to_string(),
        (None, path) => path.to_string(),
        (Some(variant), "") => format!("변형 {variant}"),
        (Some(variant), path) => format!("변형 {variant}, {path}"),
    };
    let what = complaint(&problem.complaint);
    format!("위치: {place}. {what}")
}

fn complaint(complaint: &Complaint) -> String {
    match complaint {
        Complaint::Syntax(words) => format!("JSON 형식이 올바르지 않습니다: {words}."),
        Complaint::Misfit(wrong) => super::ko_form::misfit(wrong),
        Complaint::TooLong { most } => format!("시나리오는 최대 {most}바이트입니다."),
        Complaint::Version(version) => format!("읽을 수 없는 형식 버전입니다: {version}."),
        Complaint::TooMany { most } => format!("최대 {most}개까지 쓸 수 있습니다."),
        Complaint::OutOfBounds { least, most } => format!("값은 {least}~{most} 범위여야 합니다."),
        Complaint::TimeOutOfBounds { least, most } => {
            format!("시각은 {least}~{most}ms 범위여야 합니다.")
        }
        Complaint::TooManyRecords { most } => {
            format!("한 번의 실행에서 쓸 수 있는 레코드는 최대 {most}건입니다.")
        }
        Complaint::Unknown { name, .. } => format!("“{name}” 이름이 파일에 없습니다."),
        Complaint::Twice(name) => format!("“{name}” 이름이 두 번 쓰였습니다."),
        Complaint::WhichGroup => "어느 그룹인지 지정해야 합니다.".to_string(),
        Complaint::OneOf(names) => format!("{names} 중 하나만 써야 합니다."),
        Complaint::Missing(name) => format!("“{name}” 항목이 필요합니다."),
        Complaint::Takes { field, takes } => format!("{field:?} 항목에 쓸 수 있는 값: {takes}."),
        Complaint::Unanswered(field) => format!("“{field}” 항목은 아직 확인할 수 없습니다."),
        Complaint::Order => "조작은 시간 순서로 적어야 합니다.".to_string(),
        Complaint::NestedVariants => "변형 안에 변형을 둘 수 없습니다.".to_string(),
        Complaint::Refused(why) => refusal(why),
    }
}
