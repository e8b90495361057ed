//! What a scenario that was made of a text is called and asks, in both languages.

use serde_json::{Value, json};

/// Title, story and question of a scenario around a client's configuration.
pub(super) fn of_client(group: &str, is_spring: bool) -> (Value, Value, Value) {
    let title = json!({
        "en": format!("Your configuration: {group}"),
        "ko": format!("직접 가져온 설정: {group}"),
    });
    let story = match is_spring {
        true => json!({
            "en": "Consumers as your Spring Boot configuration has them. Brokers, topic and traffic are made up.",
            "ko": "Spring Boot 설정대로 만든 컨슈머입니다. 브로커, 토픽, 트래픽은 임의로 정했습니다.",
        }),
        false => json!({
            "en": "Consumers with your configuration. Brokers, topic and traffic are made up.",
            "ko": "가져온 설정대로 만든 컨슈머입니다. 브로커, 토픽, 트래픽은 임의로 정했습니다.",
        }),
    };
    let question = json!({
        "en": "Kill a consumer: how long do its partitions wait, and what is delivered twice?",
        "ko": "컨슈머를 강제 종료하면 파티션은 얼마나 기다리고, 무엇이 두 번 전달될까요?",
    });
    (title, story, question)
}

/// Title, story and question of a scenario from a group's description.
pub(super) fn of_groups(first: &str, count: usize) -> (Value, Value, Value) {
    let title = match count {
        1 => json!({
            "en": format!("Your group: {first}"),
            "ko": format!("직접 가져온 그룹: {first}"),
        }),
        _ => json!({
            "en": format!("Your groups: {first} and others"),
            "ko": format!("직접 가져온 그룹: {first} 외 {}개", count - 1),
        }),
    };
    let story = json!({
        "en": "The group as the tool described it: members, partitions, offsets and lag. Configurations are the defaults, traffic is made up.",
        "ko": "도구가 출력한 그대로의 그룹입니다. 멤버, 파티션, 오프셋, 랙이 같습니다. 설정은 기본값이고 트래픽은 임의로 정했습니다.",
    });
    let question = json!({
        "en": "What happens to the lag, and what would a restart change?",
        "ko": "랙은 어떻게 변하고, 재시작하면 무엇이 달라질까요?",
    });
    (title, story, question)
}
