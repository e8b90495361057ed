//! Korean texts of the assignor lab.

use super::grouped;
use super::lab::{LabTexts, member, members, partition, topic};
use crate::view::lab::{
    GiveReason, LabGroup, LabProblem, MEMBERS_MOST, MemberOrder, MoveReason, PARTITIONS_MOST,
    Phase, Preset, ReleaseReason, Rule, WalkStep,
};

/// The Korean texts.
pub static KOREAN: LabTexts = LabTexts {
    running: "실행 중인 그룹",
    examples: "예제",
    edited: "편집됨",
    preset: |preset| match preset {
        Preset::TwoTopics => "토픽 2개, 컨슈머 2개",
        Preset::ThirdJoins => "세 번째 멤버 참여",
        Preset::FirstLeaves => "이어서 첫 멤버 탈퇴",
        Preset::Uneven => "서로 다른 구독",
        Preset::Racks => "rack",
        Preset::Large => "멤버 1,000개, 파티션 10,000개",
    },
    empty: "실행 중인 그룹에 멤버가 없습니다. 멤버를 추가하거나 예제를 선택할 수 있습니다.",

    edit: "멤버와 토픽 편집",
    members: "멤버",
    topics: "토픽",
    member: "멤버",
    topic: "토픽",
    subscription: "구독",
    owned: "이전 소유",
    partitions: "파티션 수",
    replica_racks: "레플리카 rack",
    add_member: "멤버 추가",
    add_topic: "토픽 추가",
    remove_topic: |topic| format!("{topic} 토픽 삭제"),
    leave: "탈퇴",
    come_back: "복귀",
    leave_of: |member| format!("{member} 탈퇴"),
    come_back_of: |member| format!("{member} 복귀"),
    field_of: |field, member| format!("{member} {field}"),
    own_past: "할당자마다 자신의 직전 결과에서 시작",
    go_on: "이 결과에서 계속",
    go_on_text: "결과가 멤버의 현재 소유가 됩니다. 무언가를 바꾸면 다음에 무엇이 이동하는지 볼 수 있습니다.",
    problem,
    more_members: |count| {
        format!(
            "외 멤버 {}개 (아래 수치에는 모두 포함)",
            grouped(i64::try_from(count).unwrap_or(i64::MAX))
        )
    },
    more: |count| format!("+{count}"),

    results: "할당자별 결과",
    before: "이전",
    server_side: "서버",
    by_leader: "그룹 리더가 할당: partition.assignment.strategy",
    by_coordinator: "코디네이터가 할당: group.remote.assignor",
    eager: "eager",
    cooperative: "cooperative",
    load: "멤버당 파티션",
    load_text: |fewest, most| {
        if fewest == most {
            format!("{fewest}")
        } else {
            format!("{fewest}~{most}")
        }
    },
    moved: "멤버 사이 이동",
    inherited: "탈퇴한 멤버에게서 인수",
    revoked: "리밸런스 중 회수",
    held_back: "한 라운드 보류",
    rounds: "라운드",
    in_rack: "같은 rack에서 읽음",
    left: "소유자 없음",
    computing: "…",
    throws: |exception| format!("{exception} 발생"),
    from: |member| format!("이전: {member}"),
    in_round: |round| format!("{round}라운드에 도착"),
    key_kept: "유지",
    key_moved: "이동, 이전 소유자 표시",
    key_new: "이전 소유자 없음",
    key_later: "보류, 다음 라운드에 도착",
    walk_through: |name| format!("{name} 과정 보기"),

    walk: |name| format!("{name} 할당 과정"),
    first_step: "첫 단계",
    previous_step: "이전 단계",
    next_step: "다음 단계",
    last_step: "마지막 단계",
    step_of: |step, last| format!("{last}단계 중 {step}단계"),
    step,
    not_given: "할당 전",
    waits_for: |member| format!("다음 라운드에 {member}"),

    vote: "투표",
    list: "목록",
    votes_for: "투표",
    candidates: |names| format!("모든 멤버의 목록에 있는 할당자: {}.", names.join(", ")),
    winner: |name| format!("선택된 할당자: {name}."),
    no_candidate: "모든 멤버의 목록에 있는 할당자가 없습니다.",
    first_choice: "1순위",
    second_choice: "2순위",
    upgrade: "eager 리밸런스에서 cooperative 리밸런스로",
    upgrade_text: "순차 변경을 두 번 합니다. 먼저 모든 목록에 두 할당자를 함께 넣고, 그다음 이전 할당자를 뺍니다. 첫 번째를 건너뛰면 재시작한 컨슈머는 23 INCONSISTENT_GROUP_PROTOCOL 오류로 거부됩니다.",
    upgrade_first: "1. 목록에 둘 다",
    upgrade_second: "2. cooperative-sticky만",
};

fn problem(problem: &LabProblem) -> String {
    match problem {
        LabProblem::UnknownTopic(name) => format!("{name} 토픽이 없습니다."),
        LabProblem::UnknownPartition(name) => {
            format!(
                "{name} 파티션이 없습니다. orders-0 또는 여러 개라면 orders-0..2 형식으로 씁니다."
            )
        }
        LabProblem::NotANumber(text) => format!("“{text}” 값은 0 이상의 정수가 아닙니다."),
        LabProblem::NameTaken(name) => format!("{name} 이름은 이미 쓰이고 있습니다."),
        LabProblem::NoName => "멤버에는 ID가 필요합니다.".to_string(),
        LabProblem::TooManyMembers => format!("멤버는 최대 {MEMBERS_MOST}개입니다."),
        LabProblem::TooManyPartitions => format!("파티션은 최대 {PARTITIONS_MOST}개입니다."),
    }
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Claims => "먼저 멤버들이 소유한다고 알린 파티션을 정리합니다.",
        Phase::Constrained => {
            "모든 멤버의 구독이 같으므로 멤버당 할당량으로 거의 모든 것이 정해집니다."
        }
        Phase::General => "멤버마다 구독이 다르므로 파티션을 하나씩 살펴봅니다.",
        Phase::RackMatching => "먼저 레플리카와 같은 rack에 있는 멤버에게 줍니다.",
        Phase::Remaining => "남은 파티션을 나누어 줍니다.",
        Phase::ImproveNew => "방금 준 파티션을 옮기면 더 고르게 되는지 살펴봅니다.",
        Phase::ImproveAll => "어느 파티션이든 옮기면 더 고르게 되는지 살펴봅니다.",
        Phase::Withhold => {
            "아직 다른 멤버가 소유한 파티션은 다시 뺍니다. 소유자가 먼저 놓아야 합니다."
        }
    }
}

fn step(rule: Rule, step: &WalkStep, group: &LabGroup) -> String {
    match step {
        WalkStep::Start if rule.remembers() => {
            "멤버들은 소유한다고 알린 파티션에서 시작합니다.".to_string()
        }
        WalkStep::Start => {
            "아무도 가진 것이 없습니다. 이 할당자는 이전 소유를 보지 않습니다.".to_string()
        }
        WalkStep::Begin(begun) => phase(*begun).to_string(),
        WalkStep::Order { by, members: order } => {
            let (names, more) = members(group, order);
            let more = if more > 0 {
                format!(" 외 {more}개")
            } else {
                String::new()
            };
            match by {
                MemberOrder::StaticFirst => format!(
                    "멤버 순서: {names}{more}. 정적 멤버가 인스턴스 ID 순으로 먼저, 그다음 나머지가 멤버 ID 순입니다."
                ),
                MemberOrder::HashWalk => format!(
                    "멤버 순서: {names}{more}. Java 해시 맵의 순서로, 임의이지만 늘 같습니다."
                ),
            }
        }
        WalkStep::Quota {
            topic: about,
            partitions,
            members,
            quota,
            extra,
        } => {
            let what = about.map_or_else(
                || "모든 토픽".to_string(),
                |place| format!("{} 토픽", topic(group, place)),
            );
            let extra = match extra {
                0 => String::new(),
                extra => format!(", 그중 {extra}개는 하나 더"),
            };
            format!(
                "{what}: 파티션 {partitions}개를 멤버 {members}개가 {quota}개씩{extra} 나눕니다."
            )
        }
        WalkStep::Keep {
            partition: what,
            member: who,
        } => format!(
            "{} 멤버가 {} 파티션을 유지합니다.",
            member(group, *who),
            partition(group, *what)
        ),
        WalkStep::Release {
            partition: what,
            member: who,
            why,
        } => {
            let (what, who) = (partition(group, *what), member(group, *who));
            match why {
                ReleaseReason::DoublyClaimed => format!(
                    "{who} 멤버가 {what} 파티션을 유지하지 못합니다. 다른 멤버도 같은 세대에서 소유한다고 알려, 아무도 유지하지 못합니다."
                ),
                ReleaseReason::OlderGeneration => format!(
                    "{who} 멤버가 {what} 파티션을 유지하지 못합니다. 더 높은 세대에서 소유한다고 알린 멤버가 있습니다."
                ),
                ReleaseReason::TopicGone => format!(
                    "{who} 멤버가 {what} 파티션을 유지하지 못합니다. 토픽이 없어졌거나 구독하는 멤버가 없습니다."
                ),
                ReleaseReason::NotSubscribed => format!(
                    "{who} 멤버가 {what} 파티션을 유지하지 못합니다. 이 토픽을 더는 구독하지 않습니다."
                ),
                ReleaseReason::RackMismatch => format!(
                    "{who} 멤버가 {what} 파티션을 유지하지 못합니다. 같은 rack에 레플리카가 없습니다."
                ),
                ReleaseReason::OverQuota => {
                    format!("{who} 멤버가 {what} 파티션을 내놓습니다. 자신의 몫보다 많습니다.")
                }
            }
        }
        WalkStep::Give {
            partition: what,
            member: who,
            why,
        } => {
            let (what, who) = (partition(group, *what), member(group, *who));
            let why = match why {
                GiveReason::NextInRange => "토픽을 나눈 구간에서 다음 차례입니다.",
                GiveReason::RackMatch => "같은 rack에 레플리카가 있습니다.",
                GiveReason::CoPartitionedRackMatch => {
                    "함께 나누는 모든 토픽에서 이 번호의 레플리카가 같은 rack에 있습니다."
                }
                GiveReason::NextOnCircle => "순번이 돌아온 멤버입니다.",
                GiveReason::BelowMinimum => "최소 할당량보다 적게 가진 멤버입니다.",
                GiveReason::ExtraPartition => "최소 할당량보다 하나 더 가질 수 있는 멤버입니다.",
                GiveReason::LeastLoaded => "이 토픽을 구독하는 멤버 중 가장 적게 가진 멤버입니다.",
                GiveReason::BelowQuota => "할당량까지 자리가 남은 멤버입니다.",
            };
            format!("{what} 파티션을 {who} 멤버에게 줍니다. {why}")
        }
        WalkStep::Skip {
            topic: about,
            member: who,
        } => format!(
            "{} 멤버를 건너뜁니다. {} 토픽을 구독하지 않습니다.",
            member(group, *who),
            topic(group, *about)
        ),
        WalkStep::Fixed { member: who } => format!(
            "{} 멤버를 이후 과정에서 뺍니다. 가질 수 있는 것을 모두 가졌고 다른 멤버가 가져갈 수도 없습니다.",
            member(group, *who)
        ),
        WalkStep::Move {
            partition: what,
            from,
            to,
            why,
        } => {
            let what = partition(group, *what);
            let (from, to) = (member(group, *from), member(group, *to));
            let moves = format!("{what} 파티션을 {from} 멤버에게서 {to} 멤버에게 옮깁니다.");
            match why {
                MoveReason::Balance => format!("{moves} 둘 이상 차이가 납니다."),
                MoveReason::FormerOwner => format!("{moves} 이전 세대에서 소유했던 멤버입니다."),
                MoveReason::Reverse => format!(
                    "{moves} 같은 토픽의 다른 파티션이 반대로 옮겨졌으므로 대신 이것을 되돌립니다."
                ),
            }
        }
        WalkStep::Restored => "옮겨도 더 고르게 되지 않으므로 되돌립니다.".to_string(),
        WalkStep::HoldBack {
            partition: what,
            to,
        } => format!(
            "{} 파티션을 보류합니다. 이전 소유자가 먼저 놓고, {} 멤버는 다음 라운드에 받습니다.",
            partition(group, *what),
            member(group, *to)
        ),
    }
}
