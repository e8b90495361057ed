//! Korean texts of the shelf, the comparison, a record's life and windows.

use super::case::CaseTexts;
use super::grouped;
use super::ko_events::command;
use crate::scenario::Area;
use crate::view::compare::Quantity;
use crate::view::panel::Figure;
use crate::view::{Deed, Entry, GroupId, PositionCause, Readers, ReleaseCause};

/// The Korean texts.
pub static KOREAN: CaseTexts = CaseTexts {
    shelf_lead: "실제로 겪은 일을 밀리초까지 재현했습니다. 먼저 질문에 답해 보고 사례를 여는 것이 좋습니다.",
    to_shelf: "장애 사례: 다른 곳에서 겪은 일",
    search: "검색 (예: 정적 멤버, auto.offset.reset)",
    found: |found, all| {
        if found == all {
            format!("사례 {all}건")
        } else {
            format!("사례 {all}건 가운데 {found}건")
        }
    },
    area: |area| match area {
        Area::FailureDetection => "장애 감지",
        Area::RebalanceProtocol => "리밸런스 프로토콜",
        Area::StaticMembership => "정적 멤버",
        Area::Assignors => "할당자",
        Area::Commits => "커밋과 중복",
        Area::ResetAndGrowth => "오프셋 리셋과 증설",
        Area::FetchAndLag => "읽기와 랙",
    },
    open: "열기",
    remedy: "피할 수 있었던 방법",
    no_remedy: "피할 수 있었을까요?",
    try_remedy: "적용해 두 실행 비교",

    compare_lead: "한 가지만 바꾼 같은 이력입니다. 시나리오와 시드, 지금까지의 조작을 그대로 한 번 더 실행합니다.",
    variant: "변형",
    assignor: "할당자",
    membership: "멤버",
    all_static: "모두 정적 멤버",
    all_dynamic: "모두 동적 멤버",
    one_more: "컨슈머 1개 추가",
    config: "설정",
    config_name: "이름",
    value: "값",
    of_consumers: "그룹의 컨슈머",
    of_brokers: "브로커",
    as_default: "기본값",
    compare: "비교",
    stop_comparing: "비교 끝내기",
    to_end: "끝까지 실행",
    this_run: "이 실행",
    other_run: |change| format!("변경: {change}"),
    config_is: |name, value| format!("{name} {value}"),
    is_behind: |at| format!("다른 실행을 계산하는 중입니다: {at}."),
    refused_there: |act| format!("다른 실행에서는 할 수 없는 조작: {}", command(act)),
    quantity,
    here: "이 실행",
    there: "다른 실행",
    difference: "차이",
    equal: "–",
    where_apart: "위치",
    find_apart: |what| format!("갈라지는 시점으로 이동: {what}"),
    apart_at: |what, at| format!("{what}: {at}에 갈라짐"),
    length: |ms| format!("{}.{:03}초", ms / 1_000, ms.unsigned_abs() % 1_000),
    strip_text: |run| format!("소유권 변화, {run}"),

    life: "이력",
    life_of: |offset| format!("레코드 {}의 이력", grouped(offset)),
    record_title: |partition, offset| format!("{partition}, 레코드 {}", grouped(offset)),
    life_of_record: "레코드의 이력",
    offset: "오프셋",
    key: "키",
    no_life: "아직 알려진 것이 없습니다. 아직 쓰이지 않았거나 너무 오래되어 기록이 남아 있지 않습니다.",
    left_out: |count| {
        format!(
            "중간의 {}건은 생략되었습니다.",
            grouped(i64::try_from(count).unwrap_or(i64::MAX))
        )
    },
    deed,

    window: "구간",
    whole_run: "전체",
    last_seconds: |seconds| match seconds {
        60 => "최근 1분".to_string(),
        seconds => format!("최근 {seconds}초"),
    },
    from_here: "이 시점부터",
    counted_until: |until| format!("두 실행 모두 처음부터 {until}까지 센 값입니다."),
    window_text: |from, until| format!("{from} 이후 {until}까지"),
    all_partitions: "전체",
    figure: |figure| match figure {
        Figure::Delivered => "전달",
        Figure::Duplicates => "중복 전달",
        Figure::Done => "처리 완료",
        Figure::Processings => "중복 처리",
        Figure::InDoubt => "미확정",
        Figure::Skipped => "누락",
        Figure::SkippedByReset => "리셋 누락",
        Figure::Expired => "미처리 만료",
        Figure::Unowned => "소유자 없음",
        Figure::Paused => "소유자 교체",
    },
};

fn quantity(quantity: Quantity) -> String {
    match quantity {
        Quantity::Rebalances => "리밸런스".to_string(),
        Quantity::Moved => "이동한 파티션".to_string(),
        Quantity::Revoked => "회수된 파티션".to_string(),
        Quantity::Unowned => "소유자 없는 파티션 시간".to_string(),
        Quantity::Paused => "소유자 교체 시간".to_string(),
        Quantity::Duplicates => "중복 전달".to_string(),
        Quantity::DuplicateProcessings => "중복 처리".to_string(),
        Quantity::Skipped => "누락".to_string(),
        Quantity::SkippedByReset => "리셋 누락".to_string(),
        Quantity::ExpiredUnread => "미처리 만료".to_string(),
        Quantity::LagPeak => "커밋 랙 최댓값".to_string(),
        Quantity::Requests(api) => format!("{} 요청", api.name()),
    }
}

fn of_readers(readers: &Readers) -> String {
    match readers {
        Readers::Group(group) => of_group(group),
        Readers::Lone(actor) => actor.to_string(),
    }
}

fn of_group(group: &GroupId) -> String {
    if group.is_empty() {
        "그룹 없음".to_string()
    } else {
        format!("{group} 그룹")
    }
}

const fn position(cause: PositionCause) -> &'static str {
    match cause {
        PositionCause::Committed => "커밋된 오프셋",
        PositionCause::ResetEarliest => "auto.offset.reset=earliest",
        PositionCause::ResetLatest => "auto.offset.reset=latest",
        PositionCause::Seek => "seek()",
        PositionCause::Truncation => "잘린 로그",
    }
}

const fn dropped(cause: ReleaseCause) -> &'static str {
    match cause {
        ReleaseCause::EagerRevoke | ReleaseCause::CooperativeRevoke => "파티션을 회수당했습니다",
        ReleaseCause::Lost => "그룹에서 밀려났습니다",
        ReleaseCause::Closed => "정상 종료되었습니다",
        ReleaseCause::Crashed => "강제 종료되었습니다",
        ReleaseCause::Unsubscribed => "구독을 끝냈습니다",
    }
}

/// A sentence for an entry of a record's life.
fn deed(entry: &Entry) -> String {
    match &entry.deed {
        Deed::Sent { by, attempt: 1 } => {
            format!("{by} 프로듀서가 이 레코드가 담긴 배치를 보냅니다.")
        }
        Deed::Sent { by, attempt } => {
            format!("{by} 프로듀서가 이 레코드가 담긴 배치를 {attempt}번째로 보냅니다.")
        }
        Deed::Appended { by, base, next } => {
            let (first, last) = (grouped(base.0), grouped(next.0 - 1));
            match (by, next.0 - base.0) {
                (Some(by), 1) => format!("리더가 로그에 씁니다. 보낸 쪽: {by}."),
                (Some(by), _) => {
                    format!("리더가 배치 {first}~{last} 안에 로그에 씁니다. 보낸 쪽: {by}.")
                }
                (None, _) => "처음부터 로그에 있었습니다.".to_string(),
            }
        }
        Deed::Acknowledged(by) => format!("{by} 프로듀서가 쓰였다는 응답을 받습니다."),
        Deed::Readable => "하이 워터마크가 지나가 컨슈머가 읽을 수 있습니다.".to_string(),
        Deed::Fetched(by) => format!("Fetch 응답에 실려 {by} 컨슈머에게 갑니다."),
        Deed::Delivered {
            member,
            again: None,
        } => format!("{} 컨슈머의 poll()이 돌려줍니다.", member.actor),
        Deed::Delivered {
            member,
            again: Some(_),
        } => {
            format!(
                "{} 컨슈머의 poll()이 다시 돌려줍니다. {}에는 이미 전달되었던 레코드입니다.",
                member.actor,
                of_group(&member.group)
            )
        }
        Deed::Done {
            member,
            again: false,
        } => format!("{} 컨슈머가 처리를 마칩니다.", member.actor),
        Deed::Done {
            member,
            again: true,
        } => format!("{} 컨슈머가 한 번 더 처리합니다.", member.actor),
        Deed::Committed {
            group,
            offset,
            by,
            is_done,
        } => {
            let who = by
                .as_ref()
                .map_or_else(|| "그룹 밖에서".to_string(), |by| format!("{by} 컨슈머가"));
            let rest = if *is_done {
                ""
            } else {
                " 아직 처리되지 않은 레코드입니다."
            };
            format!(
                "{who} {} 오프셋 {}까지 커밋해 이 레코드를 지나갑니다.{rest}",
                of_group(group),
                grouped(offset.0)
            )
        }
        Deed::Uncommitted {
            group,
            offset: Some(offset),
        } => {
            format!(
                "{} 오프셋이 {}에 다시 커밋되어 되돌아갑니다.",
                of_group(group),
                grouped(offset.0)
            )
        }
        Deed::Uncommitted {
            group,
            offset: None,
        } => {
            format!("{}의 커밋된 오프셋이 사라집니다.", of_group(group))
        }
        Deed::Rewound {
            member,
            offset,
            cause,
        } => {
            format!(
                "{} 컨슈머가 {}부터 읽습니다({}). 이 레코드는 다시 전달됩니다.",
                member.actor,
                grouped(offset.0),
                position(*cause)
            )
        }
        Deed::JumpedOver {
            member,
            offset,
            cause,
        } => {
            format!(
                "{} 컨슈머가 {}부터 읽습니다({}). 이 레코드는 건너뜁니다.",
                member.actor,
                grouped(offset.0),
                position(*cause)
            )
        }
        Deed::Dropped {
            member,
            cause,
            is_skipped: false,
        } => {
            format!(
                "처리를 마치기 전에 {} 컨슈머가 {}.",
                member.actor,
                dropped(*cause)
            )
        }
        Deed::Dropped {
            member,
            cause,
            is_skipped: true,
        } => {
            format!(
                "처리를 마치기 전에 {} 컨슈머가 {}. 이미 커밋되었으므로 누락입니다.",
                member.actor,
                dropped(*cause)
            )
        }
        Deed::Deleted { unread_by } if unread_by.is_empty() => "로그에서 삭제됩니다.".to_string(),
        Deed::Deleted { unread_by } => {
            let readers: Vec<String> = unread_by.iter().map(of_readers).collect();
            format!(
                "처리되지 않은 채 로그에서 삭제됩니다: {}.",
                readers.join(", ")
            )
        }
    }
}
