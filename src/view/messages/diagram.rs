//! Messages over time: a line per party, an arrow per message, time running down. Where nothing happens
//! for long, the picture is folded, and says how much it left out.

use super::{Exchange, Side};
use crate::kafka::error::ErrorCode;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use crate::view::{ActorName, ApiKey};
use std::rc::Rc;

/// Lengths on paper per millisecond, in thousandths; the zoom chooses one.
const SCALES: [i64; 9] = [
    125, 500, 1_500, 3_000, 6_000, 15_000, 40_000, 120_000, 400_000,
];
/// How far one can zoom in either direction.
pub const ZOOM_MOST: i8 = 4;
/// Two instants are at least so far apart, so that they can be told apart.
const GAP_LEAST: i64 = 6;
/// The height of a line of words: instants that have some make room for it.
const WORDS: i64 = 12;
/// A quiet stretch longer than this is folded to it.
const FOLD: i64 = 44;
/// Room above the first message.
const TOP: i64 = 14;
/// Room below the last one.
const BOTTOM: i64 = 16;
/// Parties that are drawn.
pub const SIDES_MOST: usize = 24;

/// The picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// The parties, from left to right.
    pub sides: Rc<[Side]>,
    /// The messages.
    pub arrows: Rc<[Rc<Arrow>]>,
    /// Folded stretches.
    pub folds: Rc<[Fold]>,
    /// Instants to be written beside.
    pub ticks: Rc<[(i64, Instant)]>,
    /// Its height.
    pub height: i64,
    /// Messages of parties that have no line any more.
    pub left_out: usize,
}

/// A message in the picture. Columns are places in the list of parties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Number of its exchange.
    pub exchange: u64,
    /// Whether it is the answer.
    pub is_answer: bool,
    /// Its API.
    pub api: ApiKey,
    /// The error in it.
    pub error: ErrorCode,
    /// Column of its sender.
    pub from: usize,
    /// Column of its receiver.
    pub to: usize,
    /// Height at which it is sent.
    pub sent: i64,
    /// Height at which it arrives; at most the present.
    pub arrives: i64,
    /// How far it has come, in thousandths of its way.
    pub way: i64,
    /// It will never arrive.
    pub is_lost: bool,
}

/// A quiet stretch that is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// Where.
    pub y: i64,
    /// How long it is, ms.
    pub ms: i64,
}

/// Draws these exchanges, the oldest first, as they stand at `now`. `order`: all parties from left to right.
pub fn draw(
    exchanges: &[Rc<Exchange>],
    order: &[Side],
    now: Instant,
    zoom: i8,
    before: &Diagram,
) -> Diagram {
    let sides = sides(exchanges, order);
    let heights = Heights::of(exchanges, now, zoom);
    let column = |side: &Side| sides.iter().position(|one| one == side);
    let mut arrows = Vec::new();
    let mut left_out = 0;
    for exchange in exchanges {
        let client = column(&Side::Client(exchange.from.clone()));
        let broker = column(&Side::Broker(exchange.to));
        let (Some(client), Some(broker)) = (client, broker) else {
            left_out += 1;
            continue;
        };
        let is_answered = exchange.answer.is_some();
        let request = Arrow {
            exchange: exchange.number,
            is_answer: false,
            api: exchange.api,
            error: ErrorCode::None,
            from: client,
            to: broker,
            sent: heights.at(exchange.request.0),
            arrives: heights.at(exchange.request.1.min(now)),
            way: way(exchange.request, now),
            is_lost: exchange.is_lost && !is_answered,
        };
        arrows.push(request);
        if let Some(answer) = &exchange.answer {
            arrows.push(Arrow {
                exchange: exchange.number,
                is_answer: true,
                api: exchange.api,
                error: answer.error,
                from: broker,
                to: client,
                sent: heights.at(answer.at.0),
                arrives: heights.at(answer.at.1.min(now)),
                way: way(answer.at, now),
                is_lost: exchange.is_lost,
            });
        }
    }
    let known: SortedMap<(u64, bool), &Rc<Arrow>> = before
        .arrows
        .iter()
        .map(|arrow| ((arrow.exchange, arrow.is_answer), arrow))
        .collect();
    let keep = |arrow: Arrow| match known.get(&(arrow.exchange, arrow.is_answer)) {
        Some(old) if ***old == arrow => Rc::clone(old),
        _ => Rc::new(arrow),
    };
    Diagram {
        arrows: arrows.into_iter().map(keep).collect(),
        folds: heights.folds.into(),
        ticks: heights.ticks.into(),
        height: heights.bottom,
        sides,
        left_out,
    }
}

/// How much of a way is done.
fn way((from, to): (Instant, Instant), now: Instant) -> i64 {
    let length = (to - from).0;
    if now >= to || length <= 0 {
        return 1_000;
    }
    (now - from).0.max(0) * 1_000 / length
}

/// The parties that take part, in their order.
fn sides(exchanges: &[Rc<Exchange>], order: &[Side]) -> Rc<[Side]> {
    let takes_part = |side: &&Side| {
        exchanges.iter().any(|exchange| match side {
            Side::Client(name) => exchange.from == *name,
            Side::Broker(id) => exchange.to == *id,
        })
    };
    let known = order.iter().filter(takes_part).cloned();
    // Who is gone from the world still stands in what was sent.
    let gone = exchanges
        .iter()
        .map(|exchange| Side::Client(exchange.from.clone()))
        .filter(|side| !order.contains(side));
    let mut sides: Vec<Side> = Vec::new();
    for side in known.chain(gone) {
        if !sides.contains(&side) && sides.len() < SIDES_MOST {
            sides.push(side);
        }
    }
    sides.into()
}

/// Where words stand at an instant: above it the error that arrives, below it the request that is sent.
#[derive(Clone, Copy, Default)]
struct Words {
    is_above: bool,
    is_below: bool,
}

/// Which instant stands at which height.
struct Heights {
    known: Vec<(Instant, i64)>,
    folds: Vec<Fold>,
    ticks: Vec<(i64, Instant)>,
    bottom: i64,
}

impl Heights {
    fn of(exchanges: &[Rc<Exchange>], now: Instant, zoom: i8) -> Heights {
        let mut instants: SortedMap<Instant, Words> = SortedMap::new();
        let mut note = |at: Instant, is_above: bool, is_below: bool| {
            if at <= now {
                let words = instants.entry(at).or_default();
                words.is_above |= is_above;
                words.is_below |= is_below;
            }
        };
        for exchange in exchanges {
            note(exchange.request.0, false, true);
            note(exchange.request.1, false, false);
            if let Some(answer) = &exchange.answer {
                note(answer.at.0, false, false);
                note(answer.at.1, !answer.error.is_none(), false);
            }
        }
        let middle = i64::from(zoom) + SCALES.len() as i64 / 2;
        let scale = usize::try_from(middle)
            .ok()
            .and_then(|place| SCALES.get(place));
        let scale = scale.copied().unwrap_or(6_000);
        let mut heights = Heights {
            known: Vec::with_capacity(instants.len()),
            folds: Vec::new(),
            ticks: Vec::new(),
            bottom: TOP + BOTTOM,
        };
        let (mut y, mut last, mut last_tick) = (TOP, None, i64::MIN / 2);
        let mut words_end = i64::MIN / 2;
        for (at, words) in instants {
            let mut is_new_stretch = last.is_none();
            if let Some(last) = last {
                let us = (at - last).0;
                let length = us.saturating_mul(scale) / 1_000_000;
                if length > FOLD {
                    heights.folds.push(Fold {
                        y: y + FOLD / 2,
                        ms: us / 1_000,
                    });
                    is_new_stretch = true;
                }
                y += length.clamp(GAP_LEAST, FOLD);
            }
            if words.is_above {
                y = y.max(words_end + WORDS);
                words_end = y;
            }
            if words.is_below {
                y = y.max(words_end);
                words_end = y + WORDS;
            }
            if is_new_stretch && y - last_tick >= TOP || y - last_tick > 4 * FOLD {
                heights.ticks.push((y, at));
                last_tick = y;
            }
            heights.known.push((at, y));
            last = Some(at);
        }
        heights.bottom = y + BOTTOM;
        heights
    }

    /// Of an instant at which nothing begins or ends: the bottom, where the present is.
    fn at(&self, at: Instant) -> i64 {
        let place = self.known.binary_search_by_key(&at, |known| known.0);
        let height = place.ok().and_then(|place| self.known.get(place));
        height.map_or(self.bottom - BOTTOM / 2, |height| height.1)
    }
}

impl Side {
    /// The client's name, if it is one.
    pub fn client(&self) -> Option<&ActorName> {
        match self {
            Side::Client(name) => Some(name),
            Side::Broker(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::ids::{BrokerId, ConnectionId};
    use crate::view::FactId;
    use crate::view::messages::Answer;

    fn heartbeat(number: u64, sent_ms: i64, is_answered: bool) -> Rc<Exchange> {
        let at = |ms| Instant::from_ms(sent_ms + ms);
        let answer = Answer {
            at: (at(1), at(2)),
            error: ErrorCode::None,
            bytes: 14,
        };
        Rc::new(Exchange {
            number,
            fact: FactId(number),
            connection: ConnectionId(1),
            api: ApiKey::Heartbeat,
            version: 4,
            correlation_id: 1,
            from: "c1".into(),
            to: BrokerId(1),
            request: (at(0), at(1)),
            answer: is_answered.then_some(answer),
            is_lost: false,
            request_bytes: 100,
        })
    }

    const ORDER: [fn() -> Side; 3] = [
        || Side::Client("p1".into()),
        || Side::Broker(BrokerId(1)),
        || Side::Client("c1".into()),
    ];

    fn drawn(exchanges: &[Rc<Exchange>], now_ms: i64) -> Diagram {
        let order = ORDER.map(|side| side());
        draw(
            exchanges,
            &order,
            Instant::from_ms(now_ms),
            0,
            &Diagram::default(),
        )
    }

    #[test]
    fn who_says_nothing_has_no_line_and_quiet_stretches_are_folded() {
        let diagram = drawn(&[heartbeat(1, 0, true), heartbeat(2, 5_000, true)], 6_000);
        assert_eq!(
            *diagram.sides,
            [Side::Broker(BrokerId(1)), Side::Client("c1".into())]
        );
        assert_eq!(*diagram.folds, [Fold { y: 48, ms: 4_998 }]);
        assert_eq!(diagram.arrows.len(), 4);
        let first = &diagram.arrows[0];
        assert_eq!(
            (first.from, first.to, first.sent, first.arrives),
            (1, 0, 14, 20)
        );
    }

    #[test]
    fn what_is_on_its_way_has_come_as_far_as_it_has() {
        let mut sent = (*heartbeat(1, 0, false)).clone();
        sent.request.1 = Instant::from_ms(10);
        let diagram = drawn(&[Rc::new(sent)], 4);
        assert_eq!(diagram.arrows[0].way, 400);
        assert!(diagram.arrows[0].arrives > diagram.arrows[0].sent);
    }

    #[test]
    fn later_messages_do_not_move_earlier_ones() {
        let first = drawn(&[heartbeat(1, 0, true)], 3);
        let both = drawn(&[heartbeat(1, 0, true), heartbeat(2, 7, true)], 20);
        assert_eq!(first.arrows[..2], both.arrows[..2]);
    }
}
