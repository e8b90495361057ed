//! Texts for whoever teaches, in Korean.

use super::{Key, TeachTexts, grouped};
use crate::view::timebar::Stop;

/// The texts.
pub static KOREAN: TeachTexts = TeachTexts {
    keys: &[
        (Key::Of("b"), "정지 조건"),
        (Key::Of("N"), "마지막으로 찾은 것의 다음 시점까지 실행"),
    ],

    stops: "정지 조건",
    stops_set: |count| format!("정지 조건 {count}개"),
    stops_title: "이럴 때 멈춤",
    stops_text: "배속과 관계없이 정확히 그 시점에 멈춥니다. 화살표는 다음 시점까지 실행합니다.",
    stop,
    next: |stop_| format!("다음 시점까지 실행: {}", stop(stop_)),
    lag_above: "랙이 다음보다 커질 때",
    topic: "토픽",
    partition: "파티션",
    records: "레코드 수",
    add_stop: "추가",
    no_stops: "모두 해제",
    searching: |stop_| format!("실행 중: {}까지", noun(stop_)),
    stopped: |stop_| format!("멈춤: {}", stop(stop_)),
    found: |stop_| format!("찾음: {}", noun(stop_)),
    not_found: |stop_, minutes| {
        format!(
            "앞으로 {minutes}분 안에는 없습니다: {}. 시점은 그대로입니다.",
            noun(stop_)
        )
    },
    go_on: "계속",
};

fn stop(stop: &Stop) -> String {
    match stop {
        Stop::Rebalance => "리밸런스가 시작되거나 끝날 때".into(),
        Stop::LeavesStable => "그룹이 Stable 상태를 벗어날 때".into(),
        Stop::Unowned => "파티션의 소유자가 없어질 때".into(),
        Stop::Removed => "멤버가 그룹에서 제거될 때".into(),
        Stop::Duplicate => "레코드가 중복 전달될 때".into(),
        Stop::Commit => "오프셋이 커밋될 때".into(),
        Stop::Error => "요청에 오류로 응답할 때".into(),
        Stop::Message => "요청이나 응답을 보낼 때".into(),
        Stop::Lag { partition, above } => format!(
            "{partition} 파티션의 랙이 {}건보다 커질 때",
            grouped(*above)
        ),
    }
}

fn noun(stop: &Stop) -> String {
    match stop {
        Stop::Rebalance => "리밸런스의 시작이나 끝".into(),
        Stop::LeavesStable => "그룹이 Stable 상태를 벗어나는 시점".into(),
        Stop::Unowned => "파티션의 소유자가 없어지는 시점".into(),
        Stop::Removed => "멤버 제거".into(),
        Stop::Duplicate => "중복 전달".into(),
        Stop::Commit => "오프셋 커밋".into(),
        Stop::Error => "오류 응답".into(),
        Stop::Message => "요청이나 응답".into(),
        Stop::Lag { partition, above } => format!(
            "{partition} 파티션의 랙이 {}건보다 커지는 시점",
            grouped(*above)
        ),
    }
}
