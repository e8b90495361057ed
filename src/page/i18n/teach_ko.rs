//! Texts for whoever teaches, in Korean.

use super::{Key, TeachTexts, grouped};
use crate::view::timebar::Stop;

/// The texts.
pub static KOREAN: TeachTexts = TeachTexts {
    keys: &[
        (Key::Of("b"), "정지 조건"),
        (Key::Of("N"), "마지막으로 찾은 것의 다음 시점까지 실행"),
        (Key::Of("m"), "강의 모드"),
        (Key::Of("1 … 9"), "강의 모드: 저장한 시점으로 이동"),
        (Key::Of("⇧ 1 … 9"), "강의 모드: 현재 시점 저장"),
        (Key::Of("h"), "강의 모드: 정답 가리기 또는 보기"),
        (Key::Of("p"), "강의 모드: 포인터"),
        (Key::Of("v"), "강의 모드: 무대만 보기"),
        (Key::Of("d"), "모델 범위"),
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

    trainer: "강의 모드",
    instants: "준비한 시점",
    keep_instant: |digit| format!("현재 시점 저장 (Shift+{digit})"),
    go_to_instant: |view| format!("이 시점으로 이동: {view}"),
    nothing_kept: |digit| {
        format!("{digit}번에 저장된 시점이 없습니다. Shift+{digit} 키로 현재 시점을 저장합니다.")
    },
    forget_instants: "준비한 시점 모두 지우기",
    cover: "정답 가리기",
    reveal: "정답 보기 (h)",
    pointer: "포인터",
    hide_views: "무대만 보기",
    leave: "강의 모드 종료",

    menu: "더 보기",
    pictures: "슬라이드용 그림",
    stage_picture: "무대",
    view_picture: "열린 보기",
    whole_picture: "전체",
    no_picture: |problem| format!("그림을 만들지 못했습니다. 브라우저의 오류: {problem}"),
    print: "인쇄",
    modelled: "모델 범위",
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
