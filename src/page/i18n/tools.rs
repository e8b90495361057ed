//! Texts of what else a program may call, and of what may befall its messages.

/// What may befall the next request of a kind, or the answer to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disturbance {
    /// The request never arrives.
    DropRequest,
    /// It arrives late.
    HoldRequest,
    /// The broker answers with an error.
    Error,
    /// The answer never arrives.
    DropAnswer,
    /// It arrives late.
    HoldAnswer,
}

impl Disturbance {
    /// All of them.
    pub const ALL: [Disturbance; 5] = [
        Disturbance::DropRequest,
        Disturbance::HoldRequest,
        Disturbance::Error,
        Disturbance::DropAnswer,
        Disturbance::HoldAnswer,
    ];

    /// Its value in a list.
    pub const fn word(self) -> &'static str {
        match self {
            Disturbance::DropRequest => "drop_request",
            Disturbance::HoldRequest => "hold_request",
            Disturbance::Error => "answer_with_error",
            Disturbance::DropAnswer => "drop_response",
            Disturbance::HoldAnswer => "hold_response",
        }
    }
}

/// The texts.
#[allow(missing_docs)]
pub struct ToolTexts {
    pub calls: &'static str,
    pub partition: &'static str,
    pub offset: &'static str,
    pub reads: &'static str,
    pub topics: &'static str,
    pub pattern: &'static str,
    pub partitions: &'static str,
    pub next_request: &'static str,
    pub disturbance: &'static str,
    pub disturb: fn(Disturbance) -> &'static str,
    pub for_ms: &'static str,
    pub error_code: &'static str,
    pub disturb_next: &'static str,
    /// Heads the disturbances of one party's messages.
    pub disturb_its: &'static str,
    /// Heads those of anybody's.
    pub disturb_any: &'static str,
    pub any_act: &'static str,
    pub any_act_text: &'static str,
    pub act: &'static str,
    pub act_as_json: &'static str,
    pub do_it: &'static str,
}

pub static ENGLISH: ToolTexts = ToolTexts {
    calls: "Calls and disturbances",
    partition: "Partition",
    offset: "Offset",
    reads: "Reads by",
    topics: "Topics, separated by commas",
    pattern: "Pattern",
    partitions: "Partitions, such as orders-0",
    next_request: "Next request",
    disturbance: "What befalls it",
    disturb: |what| match what {
        Disturbance::DropRequest => "the request is dropped",
        Disturbance::HoldRequest => "the request is held",
        Disturbance::Error => "an error is answered",
        Disturbance::DropAnswer => "the answer is dropped",
        Disturbance::HoldAnswer => "the answer is held",
    },
    for_ms: "For how long",
    error_code: "Error code",
    disturb_next: "Disturb the next one",
    disturb_its: "Disturb its messages",
    disturb_any: "Disturb anybody’s messages",
    any_act: "Any act, as a file says it",
    any_act_text: "Choose an example, change it, and do it now.",
    act: "Act",
    act_as_json: "The act in JSON",
    do_it: "Do it now",
};

pub static KOREAN: ToolTexts = ToolTexts {
    calls: "호출과 메시지 방해",
    partition: "파티션",
    offset: "오프셋",
    reads: "읽는 방법",
    topics: "토픽(쉼표로 구분)",
    pattern: "패턴",
    partitions: "파티션(예: orders-0)",
    next_request: "다음 요청",
    disturbance: "방해 방법",
    disturb: |what| match what {
        Disturbance::DropRequest => "요청 버리기",
        Disturbance::HoldRequest => "요청 지연",
        Disturbance::Error => "오류로 응답",
        Disturbance::DropAnswer => "응답 버리기",
        Disturbance::HoldAnswer => "응답 지연",
    },
    for_ms: "지연 시간",
    error_code: "오류 번호",
    disturb_next: "다음 요청 방해",
    disturb_its: "메시지 방해",
    disturb_any: "모든 클라이언트의 메시지 방해",
    any_act: "모든 조작(시나리오 파일 형식)",
    any_act_text: "예시를 골라 고친 다음 지금 실행하세요.",
    act: "조작",
    act_as_json: "JSON 형식의 조작",
    do_it: "지금 실행",
};
