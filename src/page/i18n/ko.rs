//! Korean.

use super::ko_events::{bad_scenario, event, refusal, where_and_why};
use super::{Catalogue, Key, Language, by_topic, clock, grouped, seconds};
use crate::view::inspect::{Label, ThingKind};
use crate::view::panel::{EventFilter, Tab};
use crate::view::stage::{Group, Life, Member, Phase, Stage};
use crate::view::{DuplicateCause, MemberState, StopCause, UnownedCause};
use std::borrow::Cow;

/// The Korean texts.
pub static KOREAN: Catalogue = Catalogue {
    language: Language::Korean,

    count: grouped,
    clock,
    tenths: |tenths| format!("{}.{}초", tenths / 10, tenths % 10),
    per_second: |rate| format!("초당 {rate}건"),
    at_most_seconds: |seconds| format!("최대 {seconds}초"),

    event,
    refusal,

    incidents: "장애 사례",
    to_share: "공유",
    to_page: "Regroup에서 열기",
    fetching: "불러오는 중…",
    not_fetched: |problem| {
        format!("파일을 불러오지 못했습니다. 실행 중인 시나리오는 그대로입니다. {problem}")
    },
    theme: "밝게 또는 어둡게",
    keys: "키보드",

    stage: "무대",
    producers: "프로듀서",
    cluster: "클러스터",
    groups: "컨슈머 그룹",
    topic_partitions: |topic, count| format!("{topic} · 파티션 {count}개"),
    broker: |id| format!("브로커 {id}"),
    coordinator_of: |group| format!("{group} 코디네이터"),
    group_named: |group| format!("컨슈머 그룹 {group}"),
    lone: "그룹 없음",
    lone_text: "group.id 없이 assign()합니다. 저마다 따로 읽고, 따로 셉니다.",
    start: "시작",
    stop: "중지",
    stopped: "중지됨",
    in_accumulator: "버퍼",
    in_flight: "전송 중",
    acknowledged: "기록됨",
    failed: "실패",
    committed: "커밋",
    position: "읽기 위치",
    high_watermark: "하이 워터마크",
    high_watermark_short: "끝",
    lag: "랙",
    legend_risk: "읽음, 커밋 전",
    legend_waiting: "읽기 전",
    unowned: "소유자 없음",
    unowned_cause: |cause| match cause {
        UnownedCause::InitialJoin => "아직 할당되지 않음",
        UnownedCause::EagerRevoke | UnownedCause::CooperativeHandOver => "소유자 교체 중",
        UnownedCause::Detection => "소유자가 사라짐",
        UnownedCause::NoConsumer => "컨슈머 없음",
    },
    all_owned: "모든 파티션에 소유자가 있음",
    duplicates: "중복",
    generation: "세대",
    assignor: "할당자",
    leader: "리더",
    term: super::terms_ko::term,
    glossary: "용어",
    member_status,
    instance_named: |instance| format!("{instance} · "),
    no_member_id: "멤버 ID 없음",
    session: "세션",
    poll: "폴링",
    owned_partitions: "소유한 파티션",

    act_on: |act, actor| format!("{actor} {act}"),
    add_consumer: "컨슈머 추가",
    close: "정상 종료",
    kill: "강제 종료",
    freeze: "동결",
    thaw: "동결 해제",
    restart: "재시작",

    views: "보기",
    tab: |tab| match tab {
        Tab::Ownership => "소유권 변화",
        Tab::Lag => "랙 추이",
        Tab::Events => "이벤트",
        Tab::Deliveries => "전달 내역",
        Tab::Messages => "요청과 응답",
        Tab::Lab => "할당 실험실",
        Tab::Table => "그룹 표",
        Tab::Words => "글로 보기",
        Tab::Compare => "비교",
    },
    axis_seconds: |seconds| format!("{seconds}초"),
    group: "그룹",
    partition: "파티션",
    owner: "소유자",
    ownership_text: |rebalances, tenths| {
        format!(
            "소유권 변화: 리밸런스 {rebalances}회, 소유자 교체 {}.{} 파티션·초.",
            tenths / 10,
            tenths % 10
        )
    },
    rebalances_so_far: |count| format!("리밸런스 {count}회"),
    paused_so_far: |tenths| format!("소유자 교체 {}.{} 파티션·초", tenths / 10, tenths % 10),
    key_owned: "소유 중",
    key_unowned: "소유자 없음",
    key_paused: "리밸런스로 소유자 교체 중",
    lag_text: |lag| format!("랙 추이. 전체 커밋 랙 {lag}건."),
    committed_lag: "커밋 랙",
    position_lag: "위치 랙",
    processing_lag: "처리 랙",
    sum: "전체",
    show_events: "표시할 이벤트",
    event_filter: |filter| match filter {
        EventFilter::Told => "주요 이벤트",
        EventFilter::Trouble => "문제",
        EventFilter::Acts => "조작",
        EventFilter::Group => "그룹",
        EventFilter::Ownership => "소유권",
        EventFilter::Commits => "커밋",
        EventFilter::Records => "레코드",
        EventFilter::Requests => "요청과 응답",
        EventFilter::All => "전체",
    },
    no_events: "아직 이런 이벤트가 없습니다.",
    views_height: "보기 영역의 높이",
    delivered: "전달",
    duplicate_deliveries: "중복 전달",
    done: "처리 완료",
    duplicate_processings: "중복 처리",
    in_doubt: "미확정",
    skipped: "누락",
    no_duplicates: "두 번 전달된 레코드가 없습니다.",
    when: "시각",
    offsets: "오프셋",
    records: "레코드",
    again_to: "다시 받은 멤버",
    cause: "원인",
    range: |first, last| format!("{first}~{last}"),
    duplicate_cause: |cause| match cause {
        DuplicateCause::Crash => "소유자가 커밋 전에 강제 종료됨",
        DuplicateCause::RevokedWithoutCommit => "커밋 없이 회수됨",
        DuplicateCause::CommitFailed => "소유자의 커밋 실패",
        DuplicateCause::MembershipLost => "소유자가 멤버 자격을 잃음",
        DuplicateCause::RewoundCommit => "더 낮은 오프셋의 뒤늦은 커밋",
        DuplicateCause::Seek => "seek()",
        DuplicateCause::Reset => "auto.offset.reset",
        DuplicateCause::Truncation => "로그가 잘림",
    },
    group_table: "그룹 표",
    inspector: "상세 정보",
    close_inspector: "상세 정보 닫기",
    thing_title: |kind, title| match kind {
        ThingKind::Broker(_) => format!("브로커 {title}"),
        ThingKind::Event => "원인 추적".to_string(),
        ThingKind::Topic { .. } => format!("토픽 {title}"),
        ThingKind::Group { .. } => format!("그룹 {title}"),
        ThingKind::Record(_, offset) => (super::case_ko::KOREAN.record_title)(title, offset.0),
        ThingKind::Consumer { .. }
        | ThingKind::Producer { .. }
        | ThingKind::Partition { .. }
        | ThingKind::Message => title.to_string(),
    },
    label,
    value,
    configuration: "설정",
    counts_from_next_start: "바뀐 값은 실제 클라이언트처럼 다음 시작부터 적용됩니다.",
    more_configurations: "모든 설정",
    program: "애플리케이션",
    time_per_record: "레코드당 처리 시간",
    commits: "커밋",
    commit_style: |style| match style {
        "none" => "커밋 안 함",
        "sync" => "동기, 배치마다",
        "sync-each" => "동기, 레코드 n개마다",
        "async" => "비동기, 배치마다",
        "async-each" => "비동기, 레코드 n개마다",
        "before" => "처리 전 커밋",
        "resend" => "비동기, 무조건 재전송",
        "guard" => "비동기, 순번 확인 후 재전송",
        _ => "설정에 따름",
    },
    static_member: "정적 멤버",
    stall_for: |seconds| format!("{seconds}초 동안 poll() 멈춤"),
    rate: "속도",
    per_second_unit: "건/초",
    different_keys: "키 종류",
    no_keys: "없음",
    hot_key: "핫 키 비율",
    record_size: "크기",
    bytes: "바이트",
    rolling_change: "순차 변경",
    full_restart: "전체 재시작",
    add_partitions: "파티션 추가",
    partitions_in_all: "전체 파티션 수",
    choose_something: "무대에서 무엇이든 선택하면 자세한 상태와 원인이 표시됩니다.",
    try_this: "해 볼 것",
    try_kill: |actor| format!("{actor} 강제 종료"),
    try_kill_text: "코디네이터가 하트비트 중단을 알아챌 때까지 그 파티션에는 소유자가 없습니다. 누가 어느 오프셋부터 이어받는지, 무엇이 두 번 전달되는지 볼 수 있습니다.",
    try_add_text: "모든 멤버가 다시 참여하고 리더가 새 할당을 계산합니다.",
    try_slow: |actor| format!("{actor} 처리 지연"),
    try_slow_text: "레코드 1건을 처리하는 데 1.5초가 걸립니다. 랙이 늘어나고, max.poll.interval.ms 값이 짧으면 그룹에서 제외됩니다.",
    scenarios: "시나리오",
    open_file: "시나리오 파일 열기 (페이지에 끌어다 놓아도 됩니다)",
    save_file: "실행 중인 시나리오와 조작을 파일로 저장",
    broken_title: "Regroup이 멈췄습니다",
    broken_text: "프로그램 자체의 오류가 발생했습니다. 페이지를 새로 고쳐 주십시오. 아래 파일에는 시나리오와 지금까지의 모든 조작이 들어 있어 오류를 찾고 작업을 잃지 않을 수 있습니다.",
    close_sheet: "닫기",
    unreadable_file: "파일을 읽지 못했고 실행 중인 시나리오는 그대로입니다. 폴더가 아닌지 확인하십시오.",
    key_list: &[
        (Key::Of("스페이스"), "재생 또는 일시정지"),
        (Key::Of("."), "한 이벤트 앞으로"),
        (Key::Of(","), "한 이벤트 뒤로"),
        (Key::Of("n"), "다음 리밸런스까지 실행"),
        (Key::Of("+"), "빠르게"),
        (Key::Of("−"), "느리게"),
        (Key::Of("a"), "컨슈머 추가"),
        (Key::Of("u"), "실행 취소"),
        (Key::Views, "보기"),
        (Key::Of("[ ]"), "할당 실험실: 이전, 다음 단계"),
        (Key::Of("o"), "시나리오"),
        (Key::Of("i"), "장애 사례"),
        (Key::Of("s"), "공유: 링크, 파일, 프레임, 보고"),
        (Key::Of("t"), "밝게 또는 어둡게"),
        (Key::Of("Esc"), "열린 것 닫기"),
        (Key::Of("?"), "이 목록"),
    ],
    dismiss: "닫기",
    not_a_number: |value| format!("“{value}” 값은 범위 안의 정수가 아닙니다."),
    not_like: |value, example| format!("“{value}” 값은 {example} 형식이 아닙니다."),
    forked: |until| format!("과거 시점에서 조작했으므로 {until}까지의 이후 기록은 버려집니다."),
    bad_act: |problem| format!("아무것도 실행하지 않았습니다. {}", where_and_why(problem)),
    bad_scenario,
    standing,
    stage_text,

    nothing_to_undo: "취소할 것이 없습니다. 실행 취소는 과거에서 조작하여 버려진 이후 기록을 되살립니다.",
    slowest: "가장 느린 배속입니다.",
    fastest: "가장 빠른 배속입니다.",
    same_strategy: "그룹의 컨슈머가 이미 이 목록을 쓰고 있습니다. 먼저 다른 목록을 선택하십시오.",

    time: "시간",
    why: "원인",
    play: "재생",
    pause: "일시정지",
    step_event: "한 이벤트 앞으로",
    step_back: "한 이벤트 뒤로",
    next_rebalance: "다음 리밸런스",
    undo: "실행 취소",
    key_space: "스페이스",
    scrubber: "시점",
    speed: "배속",
    slower: "느리게",
    faster: "빠르게",
};

fn member_status(member: &Member) -> Cow<'static, str> {
    Cow::Borrowed(match member.life {
        Life::Frozen => "동결됨",
        Life::Closing => "종료 중",
        Life::Stopped(StopCause::Killed) if member.is_known => "강제 종료됨, 감지 전",
        Life::Stopped(StopCause::Killed) => "강제 종료됨",
        Life::Stopped(StopCause::Closed) if member.is_known => "종료됨, 자리 유지",
        Life::Stopped(StopCause::Closed) => "종료됨",
        Life::Stopped(StopCause::Failed) => match &member.thrown {
            Some(exception) => return format!("{} 예외로 종료됨", exception.name()).into(),
            None => "예외로 종료됨",
        },
        Life::Running => match (member.phase, member.state) {
            (Phase::Processing, _) => "처리 중",
            (Phase::Committing, _) => "커밋 중",
            (Phase::Callback, _) => "콜백 실행 중",
            (Phase::Closing, _) => "종료 중",
            (Phase::Idle, _) => "폴링 사이",
            (Phase::Joining, _)
            | (
                Phase::Polling,
                MemberState::PreparingRebalance | MemberState::CompletingRebalance,
            ) => "참여 응답 대기",
            (Phase::Polling, _) => "폴링 중",
        },
    })
}

const fn label(label: Label) -> &'static str {
    match label {
        Label::State => "상태",
        Label::MemberState => "클라이언트 상태",
        Label::Phase => "단계",
        Label::ClientId => "client.id",
        Label::MemberId => "멤버 ID",
        Label::InstanceId => "group.instance.id",
        Label::Generation => "세대",
        Label::Assignor => "할당자",
        Label::Leader => "리더",
        Label::Coordinator => "코디네이터 담당",
        Label::CoordinatedBy => "코디네이터",
        Label::Members => "멤버",
        Label::Owned => "소유",
        Label::Owner => "소유자",
        Label::InHand => "처리 중인 레코드",
        Label::LogStart => "로그 시작",
        Label::HighWatermark => "하이 워터마크",
        Label::LogEnd => "로그 끝",
        Label::Committed => "커밋된 오프셋",
        Label::Position => "읽기 위치",
        Label::Lag => "커밋 랙",
        Label::Delivered => "전달",
        Label::Duplicates => "중복",
        Label::Forwarded => "재시도 토픽으로 보냄",
        Label::Unowned => "소유자 없던 시간",
        Label::Rebalances => "리밸런스",
        Label::StopTheWorld => "멈춘 시간",
        Label::Rate => "속도",
        Label::Size => "크기",
        Label::Written => "기록됨",
        Label::Partitions => "파티션",
        Label::Leads => "리더인 파티션",
        Label::OfRecord(name) => name,
        Label::Key => "키",
        Label::Process => "프로세스",
    }
}

fn value(label: Label, value: &str) -> String {
    match label {
        Label::Unowned | Label::StopTheWorld => format!("{}초", seconds(value)),
        Label::Coordinator if value.is_empty() => "그룹 없음".to_string(),
        Label::CoordinatedBy => format!("브로커 {value}"),
        _ => value.to_string(),
    }
}

/// Members that a sentence names; of the others it says how many there are.
const NAMED_MOST: usize = 8;

/// How a group stands, in a few sentences.
fn standing(group: &Group) -> String {
    let mut text = format!(
        "{} 그룹은 {} 상태, {}세대입니다.",
        group.id,
        group.state.name(),
        group.generation
    );
    let holders: Vec<_> = group
        .members
        .iter()
        .filter(|member| !member.partitions.is_empty())
        .collect();
    let named: Vec<_> = holders
        .iter()
        .take(NAMED_MOST)
        .map(|member| {
            let owned = member.partitions.iter().map(|chip| &chip.partition);
            format!("{}: {}", member.actor, by_topic(owned))
        })
        .collect();
    if !named.is_empty() {
        text.push_str(&format!(" 소유한 파티션은 {}", named.join(" / ")));
        if holders.len() > named.len() {
            text.push_str(&format!(" 외 멤버 {}개", holders.len() - named.len()));
        }
        text.push_str("입니다.");
    }
    if !group.unowned.is_empty() {
        let unowned = group.unowned.iter().map(|waiting| &waiting.partition);
        text.push_str(&format!(" 소유자 없는 파티션: {}.", by_topic(unowned)));
    }
    if group.duplicates > 0 {
        text.push_str(&format!(
            " 지금까지 중복 전달 {}건입니다.",
            grouped(group.duplicates)
        ));
    }
    text
}

/// Everything on the stage, a sentence per thing.
fn stage_text(stage: &Stage) -> Vec<String> {
    let mut lines: Vec<String> = stage.groups.iter().map(|group| standing(group)).collect();
    for group in stage.groups.iter() {
        lines.extend(group.members.iter().map(|member| {
            let session = member
                .session
                .map(|left| format!(" 하트비트가 없으면 {}초 뒤 세션이 만료됩니다.", left.left_s));
            format!(
                "{} 그룹의 {} 멤버: {}.{}",
                group.id,
                member.actor,
                member_status(member),
                session.unwrap_or_default()
            )
        }));
        lines.extend(group.unowned.iter().map(|waiting| {
            format!(
                "{} 그룹: {} 파티션에 {}.{}초째 소유자가 없습니다. {}.",
                group.id,
                waiting.partition,
                waiting.waited_tenths / 10,
                waiting.waited_tenths % 10,
                (KOREAN.unowned_cause)(waiting.cause)
            )
        }));
    }
    lines.extend(stage.lone.iter().map(|member| {
        let owned = member.partitions.iter().map(|chip| &chip.partition);
        format!(
            "그룹 없는 컨슈머 {}: {}. 읽는 파티션: {}.",
            member.actor,
            member_status(member),
            by_topic(owned)
        )
    }));
    for broker in stage.brokers.iter() {
        lines.extend(broker.lanes.iter().map(|lane| {
            let marks = lane.marks.iter().map(|mark| match mark.committed {
                Some(committed) => format!(
                    ", {} 그룹의 커밋된 오프셋 {}, 랙 {}",
                    mark.readers,
                    grouped(committed),
                    grouped(lane.high_watermark - committed)
                ),
                None => format!(", {} 그룹의 커밋된 오프셋 없음", mark.readers),
            });
            format!(
                "{} 파티션의 리더는 브로커 {}입니다. 하이 워터마크 {}{}.",
                lane.partition,
                broker.id.0,
                grouped(lane.high_watermark),
                marks.collect::<String>()
            )
        }));
    }
    lines.extend(stage.producers.iter().map(|producer| {
        let what = if producer.is_running {
            format!("초당 {}건 전송", producer.rate)
        } else {
            "중지됨".to_string()
        };
        format!(
            "{} 프로듀서: {what}, 지금까지 {}건 기록됨.",
            producer.actor,
            grouped(producer.acknowledged)
        )
    }));
    lines
}
