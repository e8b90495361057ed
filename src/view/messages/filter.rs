//! The language in which requests are filtered: `api == JoinGroup && error != 0`.
//!
//! ```text
//! any   = all ("||" all)*
//! all   = one ("&&" one)*
//! one   = "!" one | "(" any ")" | field ("==" | "!=" | "<" | "<=" | ">" | ">=") value
//! field = api | version | error | from | to | correlation_id | time | size
//! ```
//!
//! A value is a word, a number or text in double quotes. What a request does not have (the error of one
//! that is not answered) fits no comparison.

use crate::kafka::api::ApiKey;
use crate::kafka::error::ErrorCode;
use std::cmp::Ordering;
use std::rc::Rc;

/// Longest text, in characters.
pub const FILTER_LENGTH_MOST: usize = 500;
/// Deepest nesting.
const DEPTH_MOST: usize = 24;

/// What a request is compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterField {
    /// Its API, by name or key.
    Api,
    /// Its version.
    Version,
    /// The first error in the answer, by name or number.
    Error,
    /// The client.
    From,
    /// The broker, by number or as `broker-1`.
    To,
    /// Its correlation id.
    CorrelationId,
    /// When it was sent, in seconds or as on the clock.
    Time,
    /// Its bytes, length field included.
    Size,
}

impl FilterField {
    /// All of them, in the order in which they are told.
    pub const ALL: [FilterField; 8] = [
        FilterField::Api,
        FilterField::Version,
        FilterField::Error,
        FilterField::From,
        FilterField::To,
        FilterField::CorrelationId,
        FilterField::Time,
        FilterField::Size,
    ];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            FilterField::Api => "api",
            FilterField::Version => "version",
            FilterField::Error => "error",
            FilterField::From => "from",
            FilterField::To => "to",
            FilterField::CorrelationId => "correlation_id",
            FilterField::Time => "time",
            FilterField::Size => "size",
        }
    }
}

/// What a request is, as far as a filter asks.
pub struct Subject<'a> {
    /// Its API's key.
    pub api: i16,
    /// Its version.
    pub version: i16,
    /// The first error in the answer; `None` without an answer.
    pub error: Option<i16>,
    /// The client.
    pub from: &'a str,
    /// The broker.
    pub to: &'a str,
    /// Its correlation id.
    pub correlation_id: i32,
    /// When it was sent, µs.
    pub time_us: i64,
    /// Its bytes, counted only if somebody asks.
    pub size: &'a dyn Fn() -> Option<usize>,
}

/// Why a filter cannot be read. `at` counts characters from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FilterProblem {
    /// Longer than [`FILTER_LENGTH_MOST`].
    TooLong,
    /// Nested too deeply.
    TooDeep,
    /// A character that has no meaning here.
    Character { at: usize, character: char },
    /// A quote that is not closed.
    OpenQuote { at: usize },
    /// It ends where something must follow.
    End,
    /// A parenthesis that is not closed.
    OpenParenthesis { at: usize },
    /// A word where `&&` or `||` must stand.
    Unexpected { at: usize, word: Rc<str> },
    /// No field has that name.
    NoField { at: usize, word: Rc<str> },
    /// No comparison follows a field.
    NoComparison { at: usize, field: FilterField },
    /// No value follows a comparison.
    NoValue { at: usize, field: FilterField },
    /// No API has that name or key.
    NoApi { at: usize, word: Rc<str> },
    /// No error has that name.
    NoError { at: usize, word: Rc<str> },
    /// Not a number.
    NoNumber {
        at: usize,
        field: FilterField,
        word: Rc<str>,
    },
    /// What has names has no order.
    NoOrder { at: usize, field: FilterField },
}

/// A filter. The default lets everything through.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    root: Option<Node>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Node {
    Any(Vec<Node>),
    All(Vec<Node>),
    Not(Box<Node>),
    Number(FilterField, Comparison, i64),
    Party(FilterField, bool, Rc<str>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn fits(self, order: Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// It is not one; says where and why.
    pub fn parse(text: &str) -> Result<Filter, FilterProblem> {
        if text.chars().count() > FILTER_LENGTH_MOST {
            return Err(FilterProblem::TooLong);
        }
        let tokens = tokens(text)?;
        if tokens.is_empty() {
            return Ok(Filter::default());
        }
        let mut parser = Parser {
            tokens: &tokens,
            place: 0,
        };
        let root = parser.any(0)?;
        match parser.next() {
            None => Ok(Filter { root: Some(root) }),
            Some((at, token)) => Err(unexpected(*at, token)),
        }
    }

    /// Whether it asks for a size, which takes time to find out.
    pub fn asks_for_size(&self) -> bool {
        fn asks(node: &Node) -> bool {
            match node {
                Node::Any(nodes) | Node::All(nodes) => nodes.iter().any(asks),
                Node::Not(node) => asks(node),
                Node::Number(field, ..) | Node::Party(field, ..) => *field == FilterField::Size,
            }
        }
        self.root.as_ref().is_some_and(asks)
    }

    /// Whether a request gets through.
    pub fn matches(&self, subject: &Subject<'_>) -> bool {
        self.root.as_ref().is_none_or(|root| root.matches(subject))
    }
}

impl Node {
    fn matches(&self, subject: &Subject<'_>) -> bool {
        match self {
            Node::Any(nodes) => nodes.iter().any(|node| node.matches(subject)),
            Node::All(nodes) => nodes.iter().all(|node| node.matches(subject)),
            Node::Not(node) => !node.matches(subject),
            Node::Number(field, comparison, wanted) => {
                number_of(subject, *field).is_some_and(|number| comparison.fits(number.cmp(wanted)))
            }
            Node::Party(field, is_equal, wanted) => {
                let party = match field {
                    FilterField::To => subject.to,
                    _ => subject.from,
                };
                let number = party.strip_prefix("broker-");
                (party == &**wanted || number == Some(wanted)) == *is_equal
            }
        }
    }
}

fn number_of(subject: &Subject<'_>, field: FilterField) -> Option<i64> {
    match field {
        FilterField::Api => Some(subject.api.into()),
        FilterField::Version => Some(subject.version.into()),
        FilterField::Error => subject.error.map(i64::from),
        FilterField::CorrelationId => Some(subject.correlation_id.into()),
        FilterField::Time => Some(subject.time_us),
        FilterField::Size => (subject.size)().and_then(|size| i64::try_from(size).ok()),
        FilterField::From | FilterField::To => None,
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(Rc<str>),
    And,
    Or,
    Not,
    Open,
    Close,
    Is(Comparison),
}

impl Token {
    fn text(&self) -> Rc<str> {
        match self {
            Token::Word(word) => word.clone(),
            Token::And => "&&".into(),
            Token::Or => "||".into(),
            Token::Not => "!".into(),
            Token::Open => "(".into(),
            Token::Close => ")".into(),
            Token::Is(comparison) => match comparison {
                Comparison::Equal => "==",
                Comparison::NotEqual => "!=",
                Comparison::Less => "<",
                Comparison::LessOrEqual => "<=",
                Comparison::Greater => ">",
                Comparison::GreaterOrEqual => ">=",
            }
            .into(),
        }
    }
}

fn unexpected(at: usize, token: &Token) -> FilterProblem {
    FilterProblem::Unexpected {
        at,
        word: token.text(),
    }
}

/// Signs, the longer ones first.
const SIGNS: [(&str, Token); 11] = [
    ("&&", Token::And),
    ("||", Token::Or),
    ("==", Token::Is(Comparison::Equal)),
    ("!=", Token::Is(Comparison::NotEqual)),
    ("<=", Token::Is(Comparison::LessOrEqual)),
    (">=", Token::Is(Comparison::GreaterOrEqual)),
    ("<", Token::Is(Comparison::Less)),
    (">", Token::Is(Comparison::Greater)),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, FilterProblem> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let place = |rest: &str| text.chars().count() - rest.chars().count() + 1;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let at = place(rest);
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        if let Some((sign, token)) = sign {
            tokens.push((at, token.clone()));
            rest = rest.get(sign.len()..).unwrap_or_default();
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let Some((word, after)) = quoted.split_once('"') else {
                return Err(FilterProblem::OpenQuote { at });
            };
            tokens.push((at, Token::Word(word.into())));
            rest = after;
        } else if is_word(first) {
            let word = rest.trim_start_matches(is_word);
            let (word, after) = rest.split_at(rest.len() - word.len());
            tokens.push((at, Token::Word(word.into())));
            rest = after;
        } else {
            return Err(FilterProblem::Character {
                at,
                character: first,
            });
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '[' | ']')
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    place: usize,
}

impl<'a> Parser<'a> {
    fn next(&mut self) -> Option<&'a (usize, Token)> {
        let token = self.tokens.get(self.place);
        self.place += 1;
        token
    }

    fn takes(&mut self, wanted: &Token) -> bool {
        let is_next = self
            .tokens
            .get(self.place)
            .is_some_and(|(_, token)| token == wanted);
        self.place += usize::from(is_next);
        is_next
    }

    fn any(&mut self, depth: usize) -> Result<Node, FilterProblem> {
        let first = self.all(depth)?;
        let mut nodes = vec![first];
        while self.takes(&Token::Or) {
            nodes.push(self.all(depth)?);
        }
        Ok(Node::Any(nodes))
    }

    fn all(&mut self, depth: usize) -> Result<Node, FilterProblem> {
        let first = self.one(depth)?;
        let mut nodes = vec![first];
        while self.takes(&Token::And) {
            nodes.push(self.one(depth)?);
        }
        Ok(Node::All(nodes))
    }

    fn one(&mut self, depth: usize) -> Result<Node, FilterProblem> {
        if depth > DEPTH_MOST {
            return Err(FilterProblem::TooDeep);
        }
        let Some((at, token)) = self.next() else {
            return Err(FilterProblem::End);
        };
        match token {
            Token::Not => Ok(Node::Not(Box::new(self.one(depth + 1)?))),
            Token::Open => {
                let inner = self.any(depth + 1)?;
                match self.next() {
                    Some((_, Token::Close)) => Ok(inner),
                    Some((at, other)) => Err(unexpected(*at, other)),
                    None => Err(FilterProblem::OpenParenthesis { at: *at }),
                }
            }
            Token::Word(word) => self.comparison(*at, word),
            Token::And | Token::Or | Token::Close | Token::Is(_) => Err(unexpected(*at, token)),
        }
    }

    fn comparison(&mut self, at: usize, word: &Rc<str>) -> Result<Node, FilterProblem> {
        let mut fields = FilterField::ALL.into_iter();
        let Some(field) = fields.find(|field| field.name() == &**word) else {
            return Err(FilterProblem::NoField {
                at,
                word: word.clone(),
            });
        };
        let Some((_, Token::Is(comparison))) = self.next() else {
            return Err(FilterProblem::NoComparison { at, field });
        };
        let Some((at, Token::Word(value))) = self.next() else {
            return Err(FilterProblem::NoValue { at, field });
        };
        node(field, *comparison, *at, value)
    }
}

fn node(
    field: FilterField,
    comparison: Comparison,
    at: usize,
    value: &Rc<str>,
) -> Result<Node, FilterProblem> {
    let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
    let is_named = matches!(
        field,
        FilterField::Api | FilterField::From | FilterField::To
    );
    if is_named && !is_equality {
        return Err(FilterProblem::NoOrder { at, field });
    }
    let word = || value.clone();
    let number = match field {
        FilterField::From | FilterField::To => {
            return Ok(Node::Party(field, comparison == Comparison::Equal, word()));
        }
        FilterField::Api => api(value).ok_or_else(|| FilterProblem::NoApi { at, word: word() })?,
        FilterField::Error => {
            error(value).ok_or_else(|| FilterProblem::NoError { at, word: word() })?
        }
        FilterField::Time => micros(value).ok_or_else(|| FilterProblem::NoNumber {
            at,
            field,
            word: word(),
        })?,
        FilterField::Version | FilterField::CorrelationId | FilterField::Size => {
            value.parse().map_err(|_| FilterProblem::NoNumber {
                at,
                field,
                word: word(),
            })?
        }
    };
    Ok(Node::Number(field, comparison, number))
}

/// An API's key, by name or number; upper and lower case are not told apart.
fn api(word: &str) -> Option<i64> {
    let named = ApiKey::ALL
        .iter()
        .find(|api| api.name().eq_ignore_ascii_case(word));
    match named {
        Some(api) => Some(api.key().into()),
        None => word.parse::<i16>().ok().map(i64::from),
    }
}

/// An error's number, by Kafka's name or number.
fn error(word: &str) -> Option<i64> {
    let named = ErrorCode::ALL
        .iter()
        .find(|error| error.name().eq_ignore_ascii_case(word));
    match named {
        Some(error) => Some(error.code().into()),
        None => word.parse::<i16>().ok().map(i64::from),
    }
}

/// `12.5` (seconds) or `1:02.5` as µs.
fn micros(word: &str) -> Option<i64> {
    let (sign, word) = match word.strip_prefix('-') {
        Some(word) => (-1, word),
        None => (1, word),
    };
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let mut seconds: i64 = 0;
    for part in whole.split(':') {
        let number: u32 = part.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(number.into())?;
    }
    let is_fraction = fraction.len() <= 6 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !is_fraction {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    Some(sign * (seconds.checked_mul(1_000_000)?.checked_add(fraction)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(error: Option<i16>) -> Subject<'static> {
        Subject {
            api: 11,
            version: 5,
            error,
            from: "c1",
            to: "broker-2",
            correlation_id: 7,
            time_us: 62_500_000,
            size: &|| Some(167),
        }
    }

    #[test]
    fn filters_let_through_what_they_say() {
        for (text, with_27, without_answer) in [
            ("", true, true),
            ("api == JoinGroup && error != 0", true, false),
            ("api==joingroup", true, true),
            ("api == 12 || error == REBALANCE_IN_PROGRESS", true, false),
            ("!(error == 27)", false, true),
            ("from == c1 && to == 2", true, true),
            ("to == broker-2", true, true),
            ("to != \"broker-2\"", false, false),
            ("time >= 62.5 && time < 1:03", true, true),
            ("size > 100 && size <= 167", true, true),
            ("version < 5", false, false),
            (
                "correlation_id == 7 && (api == Fetch || api == JoinGroup)",
                true,
                true,
            ),
        ] {
            let filter =
                Filter::parse(text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
            let found = [Some(27), None].map(|error| filter.matches(&join(error)));
            assert_eq!(found, [with_27, without_answer], "{text}");
        }
    }

    #[test]
    fn and_binds_closer_than_or() {
        let filter = Filter::parse("version == 5 || version == 1 && from == c9").expect("a filter");
        assert!(filter.matches(&join(None)));
    }

    #[test]
    fn what_is_not_a_filter_is_refused_with_its_place() {
        use FilterProblem as P;
        for (text, expected) in [
            (
                "api == ",
                P::NoValue {
                    at: 1,
                    field: FilterField::Api,
                },
            ),
            (
                "&& api == Fetch",
                P::Unexpected {
                    at: 1,
                    word: "&&".into(),
                },
            ),
            (
                "kind == 1",
                P::NoField {
                    at: 1,
                    word: "kind".into(),
                },
            ),
            (
                "api",
                P::NoComparison {
                    at: 1,
                    field: FilterField::Api,
                },
            ),
            (
                "api == Jion",
                P::NoApi {
                    at: 8,
                    word: "Jion".into(),
                },
            ),
            (
                "error == OOPS",
                P::NoError {
                    at: 10,
                    word: "OOPS".into(),
                },
            ),
            (
                "size > big",
                P::NoNumber {
                    at: 8,
                    field: FilterField::Size,
                    word: "big".into(),
                },
            ),
            (
                "from < c1",
                P::NoOrder {
                    at: 8,
                    field: FilterField::From,
                },
            ),
            ("from == \"c1", P::OpenQuote { at: 9 }),
            ("(error == 0", P::OpenParenthesis { at: 1 }),
            (
                "error == 0 api == Fetch",
                P::Unexpected {
                    at: 12,
                    word: "api".into(),
                },
            ),
            (
                "error = 0",
                P::Character {
                    at: 7,
                    character: '=',
                },
            ),
            ("error == 0 &&", P::End),
        ] {
            assert_eq!(Filter::parse(text), Err(expected), "{text}");
        }
        let deep = "(".repeat(100);
        assert_eq!(Filter::parse(&deep), Err(P::TooDeep));
        assert_eq!(Filter::parse(&"a".repeat(501)), Err(P::TooLong));
    }
}
