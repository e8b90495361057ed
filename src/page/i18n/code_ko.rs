//! Texts of the client's log and code in Korean.

use super::CodeTexts;
use super::ko_events::config_error;
use crate::scenario::bring::{Assumed, BroughtKind, NotBrought, WhyUnused};
use crate::view::client_code::Note;

pub static KOREAN: CodeTexts = CodeTexts {
    client_log: "클라이언트 로그",
    coordinator_log: "코디네이터 로그",
    no_lines: "아직 기록된 내용이 없습니다.",
    older_lines: |count| format!("이전 로그 {count}줄 생략"),
    debug_lines: "%7로 시작하는 줄은 debug=cgrp 설정에서만 출력됩니다.",
    copy_log: "로그 복사",

    code: "코드",
    language: "언어",
    copy_code: "코드 복사",
    copied: "복사됨",
    not_copied: "브라우저가 복사를 허용하지 않았습니다.",
    note: |note| {
        match note {
        Note::NoConfig(name) => format!("librdkafka에는 {name} 설정이 없습니다."),
        Note::MixedAssignors => {
            "librdkafka는 조급한 할당자와 협력적 할당자를 한 목록에 받지 않습니다. 첫 할당자와 같은 방식만 적었습니다."
                .to_string()
        }
        Note::NoStickyAssignor => {
            "librdkafka에는 조급한 sticky 할당자가 없어 목록에서 뺐습니다.".to_string()
        }
        Note::Progress => {
            "Progress는 직접 작성합니다. 파티션마다 모든 레코드가 처리 완료된 오프셋을 기억합니다.".to_string()
        }
        Note::CrashAfter(records) => {
            format!("여기서는 레코드 {records}건을 처리한 뒤 프로세스가 죽습니다.")
        }
        Note::Partitioner => {
            "partitioner=murmur2_random 설정이 없으면 librdkafka는 같은 키를 Java와 다른 파티션에 보냅니다.".to_string()
        }
    }
    },

    bring: "내 설정 가져오기",
    bring_lead: "consumer.properties, Spring Boot YAML의 spring.kafka 설정, kafka-consumer-groups.sh --describe 출력(--members --verbose, --state 포함)을 붙여 넣으면 시나리오가 만들어집니다. 붙여 넣은 내용은 이 페이지 밖으로 나가지 않습니다.",
    bring_text: "설정 또는 출력",
    bring_file: "파일 선택, 또는 여기에 놓기",
    bring_open: "시나리오 열기",
    bring_kind: |kind| match kind {
        BroughtKind::Properties => "클라이언트 설정 파일로 읽었습니다.",
        BroughtKind::Spring => "Spring Boot 설정으로 읽었습니다.",
        BroughtKind::Describe => "컨슈머 그룹 출력으로 읽었습니다.",
    },
    used_lines: |count| format!("{count}줄 사용"),
    unused_lines: "사용하지 않은 줄",
    all_used: "모든 줄을 사용했습니다.",
    more_unused: |count| format!("그 밖에 {count}줄"),
    line: |line| format!("{line}번째 줄"),
    assumed_lead: "내용에 없어서 임의로 정한 것",
    assumed: |assumed| match assumed {
        Assumed::Topic(name, count) => format!("토픽 {name}, 파티션 {count}개"),
        Assumed::Consumers(count) => format!("컨슈머 {count}개"),
        Assumed::Group(group) => format!("group.id={group}"),
        Assumed::Traffic(rate) => format!("토픽마다 초당 레코드 {rate}건"),
        Assumed::Brokers(count) => format!("브로커 {count}대"),
        Assumed::ShortLogs(records) => {
            format!(
                "그룹의 오프셋보다 레코드 {records}건 앞에서, 로그 끝보다 최대 20,000건 앞에서 시작하는 로그"
            )
        }
        Assumed::SpringCommits => {
            "enable.auto.commit=false, 배치마다 커밋: Spring의 기본 동작".to_string()
        }
    },
    why_unused: |why| match why {
        WhyUnused::NotUnderstood => "해석할 수 없는 줄입니다.".to_string(),
        WhyUnused::YamlForm => "여기서 읽지 않는 YAML 형식이거나 그 아래의 줄입니다.".to_string(),
        WhyUnused::UnknownName => "알려지지 않은 설정 이름입니다.".to_string(),
        WhyUnused::NotSimulated => "여기서는 동작에 영향이 없습니다.".to_string(),
        WhyUnused::Refused(error) => config_error(error),
        WhyUnused::Placeholder => "값이 다른 곳에서 채워집니다.".to_string(),
        WhyUnused::SaidAgain => {
            "같은 설정이 앞에 있습니다. 이 줄이 적용되고 앞의 줄은 적용되지 않습니다.".to_string()
        }
        WhyUnused::AckMode => "RECORD와 BATCH 모드만 모델에 있습니다.".to_string(),
        WhyUnused::NoPartition => "그룹이나 파티션이 없는 행입니다.".to_string(),
        WhyUnused::TooMuch => "시나리오의 한도를 넘습니다.".to_string(),
    },
    not_brought: |why| match why {
        NotBrought::Empty => "아직 붙여 넣은 내용이 없습니다.",
        NotBrought::TooLong => "256KB보다 긴 내용은 읽지 않습니다.",
        NotBrought::Unknown => {
            "클라이언트 설정 파일, spring.kafka 설정, 컨슈머 그룹 출력 가운데 어느 것도 아닙니다."
        }
    },
};
