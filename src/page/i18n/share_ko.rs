//! Korean texts of sharing.

use super::grouped;
use super::ko_events::where_and_why;
use super::share::ShareTexts;
use crate::scenario::BadLink;

/// The Korean texts.
pub static KOREAN: ShareTexts = ShareTexts {
    lead: |at| format!("{at} 시점의 실행 상태와 지금까지의 조작, 보고 있는 화면을 공유합니다."),
    link: "공유 링크",
    copy: "링크 복사",
    copied: "복사됨",
    copy_by_hand: "브라우저가 복사를 허용하지 않습니다. 텍스트를 선택해 직접 복사해 주십시오.",
    length: |length| format!("{}자", grouped(length)),
    too_long: |length, most| {
        format!(
            "링크가 {}자가 됩니다. {}자를 넘으면 열지 못하는 브라우저나 메신저가 있으므로 파일로 공유하는 것이 좋습니다.",
            grouped(length),
            grouped(most)
        )
    },
    hash: "트레이스 해시",
    hash_text: "이 시점까지 일어난 모든 일의 해시입니다. 링크를 연 사람에게 같은 해시가 보이면 같은 실행입니다.",
    facts: |facts| format!("이벤트 {}건", grouped(facts)),
    computing: "계산 중…",
    file: "파일",
    file_text: "시나리오와 지금까지의 조작, 시점이 들어 있습니다. 여기서 열거나 페이지에 끌어다 놓을 수 있고, regroup 프로그램으로도 실행할 수 있습니다.",
    save: "파일 저장",
    edit: "이 시나리오 편집",
    edit_text: "브로커, 시드, 시간, 토픽, 클라이언트, 그룹, 로그, 그리고 지금까지 한 조작을 포함한 모든 조작입니다. 첫 순간부터 새로 시작합니다.",
    edited_file: "시나리오 파일",
    start_edited: "시작",
    frame: "글에 넣는 프레임",
    frame_text: "이 시점의 무대와 시간 막대를 다른 웹 페이지에 넣습니다.",
    copy_frame: "HTML 복사",
    report: "차이 보고",
    report_text: "실제 Kafka는 다르게 동작합니까? 이 파일에는 시나리오, 조작, 시드, 시점, 프로그램 버전, 트레이스 해시가 들어 있습니다. 프로젝트의 이슈에 첨부해 주십시오. 여기서는 아무것도 전송하지 않습니다.",
    difference: "실제 Kafka의 동작",
    save_report: "보고 파일 저장",
    bad_link: |bad| {
        let why = match bad {
            BadLink::TooLong { most } => {
                format!("링크가 {}자를 넘습니다.", grouped_size(*most))
            }
            BadLink::Character { at, character } => {
                format!("# 뒤 {at}번째 글자 “{character}” 문자는 링크에 쓰이지 않습니다.")
            }
            BadLink::Cut => {
                "끝부분이 없습니다. 전달되는 동안 잘렸을 수 있으므로 다시 복사해 주십시오."
                    .to_string()
            }
            BadLink::Damaged => {
                "전달되는 동안 내용이 바뀌었습니다. 다시 복사해 주십시오.".to_string()
            }
            BadLink::TooLarge { most } => {
                format!("압축을 풀면 {}바이트를 넘습니다.", grouped_size(*most))
            }
            BadLink::Format(format) => {
                format!(
                    "링크 형식 {format}은 이 페이지보다 새로운 형식입니다. 페이지를 새로 고쳐 주십시오."
                )
            }
            BadLink::Unknown(name) => format!("“{name}” 시나리오가 없습니다."),
            BadLink::Content(bad) => where_and_why(bad),
        };
        format!("링크를 열지 못했습니다. 실행 중인 시나리오는 그대로입니다. {why}")
    },
    changed: "링크를 만든 뒤에 시나리오가 바뀌었습니다. 공유된 화면과 다를 수 있습니다.",
};

fn grouped_size(size: usize) -> String {
    grouped(i64::try_from(size).unwrap_or(i64::MAX))
}
