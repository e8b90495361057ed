//! Korean: what does not have the form that a scenario file has.

use crate::form::{Found, Takes, Wrong};

/// What is wrong with a value.
pub fn misfit(wrong: &Wrong) -> String {
    match wrong {
        Wrong::UnknownField { known } if known.is_empty() => {
            "알 수 없는 필드입니다. 여기에는 필드를 쓸 수 없습니다.".to_string()
        }
        Wrong::UnknownField { known } => {
            format!(
                "알 수 없는 필드입니다. 쓸 수 있는 필드: {}.",
                known.join(", ")
            )
        }
        Wrong::MissingField(name) => format!("{name} 필드가 필요합니다."),
        Wrong::UnknownWord { word, known } => {
            format!(
                "“{word}” 값은 쓸 수 없습니다. 가능한 값: {}.",
                known.join(", ")
            )
        }
        Wrong::OutOfRange { least, most, found } => {
            format!("{least}~{most} 범위의 정수여야 합니다. 현재 값: {found}.")
        }
        Wrong::Kind {
            takes: wanted,
            found,
        } => {
            format!(
                "필요한 값: {}. 현재 값: {}.",
                takes(*wanted),
                found_text(found)
            )
        }
    }
}

const fn takes(takes: Takes) -> &'static str {
    match takes {
        Takes::Flag => "true 또는 false",
        Takes::Number => "정수",
        Takes::Text => "텍스트",
        Takes::List => "목록",
        Takes::Object => "객체",
        Takes::Word => "텍스트로 쓴 낱말",
        Takes::Case => "필드가 하나인 객체",
        Takes::Milliseconds => "밀리초 (정수 또는 \"12.5\" 같은 텍스트)",
        Takes::Partition => "\"orders-0\" 같은 파티션 이름",
        Takes::Want => "정수, true 또는 false, 텍스트, 텍스트 목록, 이름별 목록 가운데 하나",
    }
}

fn found_text(found: &Found) -> String {
    match found {
        Found::Null => "null".to_string(),
        Found::Literal(literal) => literal.clone(),
        Found::Text(text) => format!("“{text}”"),
        Found::List => "목록".to_string(),
        Found::Object => "객체".to_string(),
    }
}
