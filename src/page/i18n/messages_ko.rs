//! Korean texts of the view of messages.

use super::grouped;
use super::messages::MessagesTexts;
use crate::view::messages::WireError;
use crate::view::messages::capture::{CaptureProblem, DUMP_LENGTH_MOST, FILE_BYTES_MOST, Remark};
use crate::view::messages::fields::Unreadable;
use crate::view::messages::filter::{FILTER_LENGTH_MOST, FilterProblem};

fn number(count: usize) -> String {
    grouped(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The Korean texts.
pub static KOREAN: MessagesTexts = MessagesTexts {
    apis: "API",
    group_protocol: "그룹 프로토콜",
    all_apis: "전체",
    side: "참여자",
    everybody: "전체",
    only_errors: "오류만",
    filter: "필터",
    filter_help: |fields| {
        format!(
            "{} 필드를 ==, !=, <, <=, >, >= 로 비교하고 &&, ||, !, ( ) 로 묶습니다. 값은 API 이름, 오류 이름, 숫자, 초입니다.",
            fields.join(", ")
        )
    },
    filter_problem,
    none_fit: "조건에 맞는 요청이 없습니다.",
    searched: |count| format!("검색 범위: 최근 요청 {}개", number(count)),
    older: "이전",
    newer: "다음",
    follow: "현재 시점 따라가기",
    closer: "시간 늘이기",
    farther: "시간 줄이기",

    diagram: |exchanges, sides| {
        format!(
            "참여자 {sides}개 사이의 요청 {exchanges}개와 응답. 시간은 아래로 흐르며 옆의 목록과 내용이 같습니다"
        )
    },
    fold: |ms| {
        if ms >= 1_000 {
            format!("{}.{:02}초", ms / 1_000, ms % 1_000 / 10)
        } else {
            format!("{ms}ms")
        }
    },
    left_out: |count| {
        format!(
            "참여자가 많아 요청 {}개는 그리지 않았습니다. 참여자를 선택하면 볼 수 있습니다.",
            number(count)
        )
    },
    lost: "유실",
    list: "요청",
    list_hint: "화살표 키로 요청 사이를 이동합니다.",
    sent: "전송",
    way: |from, to| format!("{from} → 브로커 {to}"),
    way_back: |from, to| format!("브로커 {from} → {to}"),
    correlation_id: "상관 ID",
    bytes: "바이트",
    on_its_way: "응답 대기",
    answer_bytes: |bytes| format!("응답 {}바이트", number(bytes)),

    title: |api, is_answer| {
        if is_answer {
            format!("{api} 응답")
        } else {
            format!("{api} 요청")
        }
    },
    request: "요청",
    answer: "응답",
    not_answered: "브로커가 아직 응답하지 않았습니다.",
    fields: "필드",
    bytes_of_message: "바이트",
    copy_hex: "16진수 복사",
    copied: "복사됨",
    copy_by_hand: "브라우저가 복사를 허용하지 않습니다. 아래 내용을 직접 복사할 수 있습니다.",
    first_fields: |count| format!("처음 필드 {}개만 표시합니다.", number(count)),
    more_bytes: |count| format!("{}바이트 더 보기", number(count)),
    elements: |count| format!("요소 {}개", number(count)),
    byte_count: |count| format!("{}바이트", number(count)),
    unreadable,
    version: |picked, library, client_max, release, broker| {
        format!(
            "v{picked}: 양쪽이 모두 지원하는 가장 높은 버전입니다. {library} 클라이언트는 v{client_max}까지, 브로커 {release}은 v{}~v{} 버전을 지원합니다.",
            broker.min, broker.max
        )
    },
    connection: |number| format!("연결 {number}"),
    connection_versions: "이 연결의 버전",
    client_speaks: "클라이언트",
    broker_speaks: "브로커",
    picked: "합의",

    save: "pcap 저장",
    save_text: "지금까지 조건에 맞는 모든 요청과 응답을 Wireshark용 캡처 파일로 저장",
    open: "캡처 파일 열기",
    paste: "16진수 붙여넣기",
    paste_text: "카프카 메시지를 16진수로 붙여넣습니다. 각 메시지 앞에는 길이 4바이트가 있어야 합니다. hexdump -C 형식의 오프셋과 문자는 그대로 두어도 됩니다.",
    read: "읽기",
    ours: "현재 실행",
    theirs: |name| {
        if name.is_empty() {
            "16진수 덤프".to_string()
        } else {
            name.to_string()
        }
    },
    close_capture: "캡처 닫기",
    remark: |remark| match remark {
        Remark::TooMany(count) => format!("처음 메시지 {}개만 남겼습니다.", number(*count)),
        Remark::Other(count) => format!("패킷 {}개는 TCP가 아닙니다.", number(*count)),
        Remark::NoKafka(count) => format!("연결 {}개는 카프카 연결이 아닙니다.", number(*count)),
        Remark::Missing(count) => format!(
            "연결 {}개에 빠진 패킷이 있어 그 뒤의 내용은 제외했습니다.",
            number(*count)
        ),
        Remark::CutOff => "파일이 패킷 중간에서 끝납니다.".to_string(),
    },
    capture_problem,
    unknown_api: "알 수 없음",
    of_many: |shown, all| format!("{}개 중 {}개", number(all), number(shown)),
};

fn filter_problem(problem: &FilterProblem) -> String {
    match problem {
        FilterProblem::TooLong => {
            format!("필터는 {FILTER_LENGTH_MOST}자까지 쓸 수 있습니다.")
        }
        FilterProblem::TooDeep => "괄호가 너무 깊게 겹쳐 있습니다.".to_string(),
        FilterProblem::Character { at, character: '=' } => {
            format!("{at}번째 글자: 비교는 == 로 씁니다.")
        }
        FilterProblem::Character { at, character } => {
            format!("{at}번째 글자: 여기에 “{character}” 문자는 쓸 수 없습니다.")
        }
        FilterProblem::OpenQuote { at } => {
            format!("{at}번째 글자에서 시작한 따옴표가 닫히지 않았습니다.")
        }
        FilterProblem::End => "끝에 내용이 더 필요합니다.".to_string(),
        FilterProblem::OpenParenthesis { at } => {
            format!("{at}번째 글자의 괄호가 닫히지 않았습니다.")
        }
        FilterProblem::Unexpected { at, word } => {
            format!("{at}번째 글자: “{word}” 표현은 이 자리에 올 수 없습니다.")
        }
        FilterProblem::NoField { at, word } => {
            format!("{at}번째 글자: 요청에는 “{word}” 필드가 없습니다.")
        }
        FilterProblem::NoComparison { at, field } => format!(
            "{at}번째 글자: {} 필드 뒤에는 == 같은 비교가 필요합니다.",
            field.name()
        ),
        FilterProblem::NoValue { at, field } => format!(
            "{at}번째 글자: {} 필드와 비교할 값이 필요합니다.",
            field.name()
        ),
        FilterProblem::NoApi { at, word } => {
            format!("{at}번째 글자: “{word}” API는 여기에 없습니다.")
        }
        FilterProblem::NoError { at, word } => {
            format!("{at}번째 글자: 카프카에는 “{word}” 오류가 없습니다.")
        }
        FilterProblem::NoNumber { at, field, word } => format!(
            "{at}번째 글자: {} 필드는 숫자와 비교합니다. “{word}” 값은 숫자가 아닙니다.",
            field.name()
        ),
        FilterProblem::NoOrder { at, field } => format!(
            "{at}번째 글자: {} 필드에는 순서가 없어 ==, != 만 쓸 수 있습니다.",
            field.name()
        ),
    }
}

fn unreadable(problem: &Unreadable) -> String {
    match problem {
        Unreadable::NoRequest => {
            "응답에는 API가 적혀 있지 않습니다. API를 알려 주는 요청이 여기에 없습니다.".to_string()
        }
        Unreadable::Wire(problem) => match problem {
            WireError::Short { at, field } => {
                format!("메시지가 {at}번째 바이트, {field} 필드 안에서 끝납니다.")
            }
            WireError::Length {
                at,
                field,
                length,
                left,
            } => format!(
                "{at}번째 바이트의 {field} 필드는 길이가 {length}이라고 하지만 남은 바이트는 {left}개입니다."
            ),
            WireError::Null { at, field } => {
                format!("{at}번째 바이트의 {field} 필드는 null일 수 없습니다.")
            }
            WireError::Text { at, field } => {
                format!("{at}번째 바이트의 {field} 필드는 UTF-8이 아닙니다.")
            }
            WireError::Varint { at, field } => {
                format!("{at}번째 바이트의 {field} 필드는 허용보다 긴 숫자입니다.")
            }
            WireError::Rest { at, left } => {
                format!("메시지가 {at}번째 바이트에서 끝난 뒤 {left}바이트가 남습니다.")
            }
            WireError::UnknownApi { key } => format!("API 키 {key}번은 여기서 알 수 없습니다."),
            WireError::Version {
                api,
                version,
                min,
                max,
            } => format!(
                "{api} v{version} 버전은 여기서 알 수 없습니다. v{min}~v{max} 버전을 읽습니다."
            ),
            WireError::Batch { at, problem } => {
                format!("{at}번째 바이트의 레코드 배치를 읽을 수 없습니다({problem}).")
            }
            WireError::TooLong { field } => {
                format!("{field} 필드가 길이로 나타낼 수 있는 것보다 깁니다.")
            }
        },
    }
}

fn capture_problem(problem: &CaptureProblem) -> String {
    match problem {
        CaptureProblem::TooLarge(bytes) => format!(
            "{}바이트는 너무 큽니다. 파일은 {}바이트, 16진수 덤프는 {}자까지 읽습니다.",
            number(*bytes),
            number(FILE_BYTES_MOST),
            number(DUMP_LENGTH_MOST)
        ),
        CaptureProblem::Empty => "내용이 없습니다.".to_string(),
        CaptureProblem::NotACapture => {
            "캡처 파일(pcap, pcapng)도 16진수 덤프도 아닙니다.".to_string()
        }
        CaptureProblem::LinkType(number) => format!(
            "패킷의 네트워크 종류(link type {number})를 읽을 수 없습니다. 이더넷, IP, 루프백, 리눅스 “any”를 읽습니다."
        ),
        CaptureProblem::NoKafka => "카프카 메시지가 없습니다.".to_string(),
        CaptureProblem::NoDigit {
            line,
            column,
            character,
        } => format!("{line}번째 줄 {column}번째 칸: “{character}” 문자는 16진수 숫자가 아닙니다."),
        CaptureProblem::HalfByte { line } => {
            format!("{line}번째 줄: 바이트는 숫자 2개로 씁니다. 하나가 빠졌습니다.")
        }
    }
}
