//! Korean: what an administrator's tools do.

use super::AdminTexts;
use crate::view::{AdminRefusal, AdminTask, ErrorCode};
use crate::world::command::{AdminAct, ResetTo};

/// A sentence for what a tool was asked for.
pub fn act(act: &AdminAct) -> String {
    match act {
        AdminAct::ResetOffsets {
            group,
            topic: Some(topic),
            to,
            ..
        } => {
            format!(
                "조작: {group} 그룹의 {topic} 토픽 오프셋 재설정, {}.",
                reset_to(*to)
            )
        }
        AdminAct::ResetOffsets {
            group,
            topic: None,
            to,
            ..
        } => {
            format!(
                "조작: {group} 그룹의 모든 토픽 오프셋 재설정, {}.",
                reset_to(*to)
            )
        }
        AdminAct::DeleteOffsets { group, topic, .. } => {
            format!("조작: {group} 그룹의 {topic} 토픽 오프셋 삭제.")
        }
        AdminAct::DeleteGroup { group } => format!("조작: {group} 그룹 삭제."),
        AdminAct::RemoveMember {
            group,
            group_instance_id,
        } => {
            format!("조작: {group} 그룹에서 정적 멤버 {group_instance_id} 제거.")
        }
        AdminAct::DeleteTopic { topic } => format!("조작: {topic} 토픽 삭제."),
        AdminAct::DeleteRecords { partition, before } if before.0 < 0 => {
            format!("조작: {partition} 파티션의 모든 레코드 삭제.")
        }
        AdminAct::DeleteRecords { partition, before } => {
            format!(
                "조작: {partition} 파티션에서 오프셋 {} 앞의 레코드 삭제.",
                before.0
            )
        }
    }
}

fn reset_to(to: ResetTo) -> String {
    match to {
        ResetTo::Earliest => "맨 앞으로".to_string(),
        ResetTo::Latest => "맨 끝으로".to_string(),
        ResetTo::Offset(offset) => format!("오프셋 {}", offset.0),
        ResetTo::Shift(by) => format!("{by:+}만큼 이동"),
        ResetTo::TimeMs(at) => format!("{at}ms 이후의 첫 레코드"),
    }
}

/// A sentence for how it ended.
pub fn finished(task: &AdminTask, refusal: Option<&AdminRefusal>) -> String {
    match refusal {
        None => done(task),
        Some(refusal) => format!("{} {}", not_done(task), why_not(task, refusal)),
    }
}

fn done(task: &AdminTask) -> String {
    match task {
        AdminTask::ResetOffsets(group) => format!("{group} 그룹의 오프셋을 재설정했습니다."),
        AdminTask::DeleteOffsets(group, topic) => {
            format!("{group} 그룹의 {topic} 토픽 오프셋을 삭제했습니다.")
        }
        AdminTask::DeleteGroup(group) => format!("{group} 그룹을 삭제했습니다."),
        AdminTask::RemoveMember(group, member) => {
            format!("{group} 그룹에서 {member} 멤버를 제거했습니다.")
        }
        AdminTask::DeleteTopic(topic) => format!("{topic} 토픽을 삭제했습니다."),
        AdminTask::DeleteRecords(partition) => {
            format!("{partition} 파티션의 레코드를 삭제했습니다.")
        }
    }
}

fn not_done(task: &AdminTask) -> String {
    match task {
        AdminTask::ResetOffsets(group) => format!("{group} 그룹의 오프셋을 재설정하지 못했습니다."),
        AdminTask::DeleteOffsets(group, topic) => {
            format!("{group} 그룹의 {topic} 토픽 오프셋을 삭제하지 못했습니다.")
        }
        AdminTask::DeleteGroup(group) => format!("{group} 그룹을 삭제하지 못했습니다."),
        AdminTask::RemoveMember(group, member) => {
            format!("{group} 그룹에서 {member} 멤버를 제거하지 못했습니다.")
        }
        AdminTask::DeleteTopic(topic) => format!("{topic} 토픽을 삭제하지 못했습니다."),
        AdminTask::DeleteRecords(partition) => {
            format!("{partition} 파티션의 레코드를 삭제하지 못했습니다.")
        }
    }
}

fn why_not(task: &AdminTask, refusal: &AdminRefusal) -> String {
    let group = match task {
        AdminTask::ResetOffsets(group) => group.as_str(),
        _ => "",
    };
    match refusal {
        AdminRefusal::GroupActive(state) => format!(
            "{group} 그룹에 활동 중인 멤버가 없어야 재설정할 수 있는데, 지금 상태는 {state}입니다."
        ),
        AdminRefusal::NoCommittedOffset(partition) => {
            format!("{partition} 파티션에는 옮길 커밋된 오프셋이 없습니다.")
        }
        AdminRefusal::Timeout => "제때 응답이 없었습니다(TimeoutException).".to_string(),
        AdminRefusal::Error(error) => match meaning(*error) {
            Some(words) => format!("{} {}: {words}.", error.code(), error.name()),
            None => format!("{} {}.", error.code(), error.name()),
        },
    }
}

const fn meaning(error: ErrorCode) -> Option<&'static str> {
    Some(match error {
        ErrorCode::NonEmptyGroup => "그룹에 아직 멤버가 있습니다",
        ErrorCode::GroupSubscribedToTopic => "그룹의 멤버가 그 토픽을 구독하고 있습니다",
        ErrorCode::GroupIdNotFound => "그런 그룹이 없습니다",
        ErrorCode::UnknownMemberId => "그룹에 없는 멤버이거나, 그룹에 다시 멤버가 있습니다",
        ErrorCode::UnknownTopicOrPartition => "그런 토픽이나 파티션이 없습니다",
        ErrorCode::OffsetOutOfRange => "오프셋이 하이 워터마크보다 큽니다",
        ErrorCode::InvalidTopicException => "Kafka의 내부 토픽입니다",
        _ => return None,
    })
}

/// The texts.
pub const KOREAN: AdminTexts = AdminTexts {
    tools: "관리 도구",
    reset_offsets: "오프셋 재설정",
    topic: "토픽",
    all_topics: "모든 토픽",
    reset_to: "재설정 위치",
    reset_way: |way| match way {
        "earliest" => "맨 앞",
        "latest" => "맨 끝",
        "offset" => "지정 오프셋",
        "shift" => "지금에서 이동",
        _ => "지정 시각",
    },
    offset: "오프셋",
    by: "이동량 (음수 가능)",
    at_ms: "가상 시각",
    delete_offsets: "오프셋 삭제",
    delete_group: "그룹 삭제",
    remove_member: |member| format!("정적 멤버 {member} 제거"),
    delete_topic: "토픽 삭제",
    delete_records_before: "이 오프셋 앞 레코드 삭제",
    delete_all_records: "모든 레코드 삭제",
    commit_when_revoked: "onPartitionsRevoked()에서 commitSync()",
    commit_on_close: "close() 전에 commitSync()",
    on_poison: "불량 레코드 처리",
    poison_way: |way| match way {
        "crash" => "강제 종료",
        "retry" => "끝없이 재시도",
        "skip" => "기록하고 건너뛰기",
        _ => "재시도 토픽으로 보내기",
    },
    poison_next: "다음 레코드를 불량으로",
    corrupt_next: "다음 레코드를 역직렬화 불가로",
    poison_this: "이 레코드를 불량으로",
    corrupt_this: "이 레코드를 역직렬화 불가로",
    delete_before_this: "이 레코드 앞 모두 삭제",
    commit_every: "커밋당 레코드 수",
    more_of_program: "애플리케이션 동작 더 보기",
    polls: "poll() 호출",
    poll_way: |way| match way {
        "every" => "정해진 시각마다",
        _ => "가능한 한 바로",
    },
    poll_period: "poll() 간격",
    poll_phase: "호출 시각 중 하나",
    time_spread: "레코드 처리 시간 편차",
    busy: "다른 일을 하는 구간(시작-끝)",
    callback_time: "리밸런스 콜백 소요 시간",
    on_exception: "예외 발생 시",
    exception_way: |way| match way {
        "crash" => "close() 없이 종료",
        "close" => "컨슈머를 닫고 종료",
        _ => "기록하고 계속 폴링",
    },
    crash_after: "종료까지 처리할 레코드 수",
    never: "종료 안 함",
    assign_time: "할당 계산 시간",
    as_others: "공통 값",
    queue_max: "대기 레코드 최대 수",
    threads: "작업 스레드",
    no_threads: "폴링 루프",
    consumers_to_add: "추가할 컨슈머 수",
    add_consumers: |count| format!("컨슈머 {count}개 추가"),
    add_producer: "프로듀서 추가",
    new_name: "이름",
    create_topic: "토픽 생성",
    new_partitions: "새 토픽의 파티션 수",
    send_record: "레코드 하나의 키",
    no_key: "없음",
    send_now: "레코드 하나 보내기",
};
