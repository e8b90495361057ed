//! Requests and responses on their way.

use crate::page::motion::{self, object};
use crate::view::Instant;
use crate::view::stage::{Party, Token};
use gloo_events::EventListener;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// What is on the wire.
#[derive(PartialEq, Properties)]
pub struct WireProps {
    /// All that is drawn.
    pub tokens: Rc<[Token]>,
}

/// The layer above the stage on which tokens fly.
#[component]
pub fn Wire(props: &WireProps) -> Html {
    let layer = use_node_ref();
    let map = use_memo((), |()| Map::default());
    // Rises with every other layout: then what is in flight is set anew, too.
    let layout = use_mut_ref(|| 0_u32);
    let update = use_force_update();
    {
        let (map, layout) = (map.clone(), layout.clone());
        use_effect_with((), move |()| {
            let window = web_sys::window();
            let resized = window.map(|window| {
                EventListener::new(&window, "resize", move |_| {
                    map.left.set(0);
                    *layout.borrow_mut() += 1;
                    update.force_update();
                })
            });
            move || drop(resized)
        });
    }
    let layout = *layout.borrow();
    html! {
        <div class="wire" aria-hidden="true" ref={layer.clone()}>
            { for props.tokens.iter().map(|token| html! {
                <TokenView key={format!("{}{}", token.exchange, token.is_response)} token={token.clone()}
                    {layout} layer={layer.clone()} map={Shared(map.clone())} />
            }) }
        </div>
    }
}

/// Which one.
#[derive(PartialEq, Properties)]
struct TokenViewProps {
    token: Token,
    layout: u32,
    layer: NodeRef,
    map: Shared,
}

/// A map that equals itself and no other.
#[derive(Clone)]
struct Shared(Rc<Map>);

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[component]
fn TokenView(props: &TokenViewProps) -> Html {
    let node = use_node_ref();
    {
        let (node, layer, map) = (node.clone(), props.layer.clone(), props.map.clone());
        use_effect_with((props.token.clone(), props.layout), move |(token, _)| {
            let elements = node.cast::<Element>().zip(layer.cast::<Element>());
            let running =
                elements.and_then(|(element, layer)| launch(&element, &layer, &map.0, token));
            let key = key(token);
            move || {
                map.0.flying.borrow_mut().remove(&key);
                drop(running);
            }
        });
    }
    let token = &props.token;
    let kind = match (
        token.is_group_traffic() || !token.error.is_none(),
        token.is_response,
    ) {
        (true, true) if !token.error.is_none() => "error",
        (true, true) => "response",
        (true, false) => "request",
        (false, true) => "data-response",
        (false, false) => "data",
    };
    let label = match kind {
        // A long name may break after its underscores.
        "error" => {
            html! { <>{ token.error.code() }<small>{ token.error.name().replace('_', "_\u{200b}") }</small></> }
        }
        "request" | "response" => html! { token.api.name() },
        _ => Html::default(),
    };
    html! { <span class="token" ref={node} data-kind={kind}>{ label }</span> }
}

fn key(token: &Token) -> (u64, bool) {
    (token.exchange, token.is_response)
}

/// Sets the token on its path, from beside its sender to beside its receiver: it covers neither, and no other
/// token that bears a name.
fn launch(element: &Element, layer: &Element, map: &Map, token: &Token) -> Option<motion::Running> {
    let (from, to) = map.between(layer, &token.from, &token.to)?;
    let _ = element.remove_attribute("data-cramped");
    let size = map.size(element, token);
    let flight = |track: f64, half: f64| {
        let (mut start, mut end) = path(&from, &to, track, half);
        if motion::is_reduced() {
            // It is shown halfway, and does not move.
            start = (f64::midpoint(start.0, end.0), f64::midpoint(start.1, end.1));
            end = start;
        }
        Flight {
            start,
            end,
            times: (token.departs, token.arrives),
            size,
        }
    };
    let is_error = !token.error.is_none();
    let gap = gap(&from, &to);
    let has_name = gap.is_some() && (token.is_group_traffic() || is_error);
    let has_room = gap.is_some_and(|gap| gap >= size.0);
    let mut tracks = TRACKS.iter().map(|track| track * (size.1 + 2.0));
    let named = (has_name && has_room)
        .then(|| tracks.find_map(|track| map.free(key(token), flight(track, size.0 / 2.0))))
        .flatten();
    // What finds no room for its name, between the cards or among the others, goes without; an error keeps its
    // number.
    let Flight { start, end, .. } = named.unwrap_or_else(|| {
        if has_name {
            let _ = element.set_attribute("data-cramped", "");
        }
        // Neighbouring exchanges take neighbouring tracks, so that they can be told apart.
        let track = f64::from(u8::try_from(token.exchange % 5).unwrap_or(0)) - 2.0;
        flight(track * CRAMPED_HALF, CRAMPED_HALF)
    });
    let at = |(x, y): (f64, f64)| {
        let place = format!("translate({x:.1}px, {y:.1}px) translate(-50%, -50%)");
        object(&[
            ("transform", place.into()),
            ("visibility", "visible".into()),
        ])
    };
    Some(motion::run(
        element,
        &[at(start), at(end)],
        token.departs,
        token.arrives,
    ))
}

/// Flights for which a map is good. To look where something stands makes the browser lay out the page in the
/// middle of a frame, so that is not done for every token.
const FLIGHTS_PER_MAP: u32 = 40;

/// Where the parties stand, within the layer, and how wide tokens are.
#[derive(Default)]
struct Map {
    /// Flights until it is drawn anew.
    left: Cell<u32>,
    places: RefCell<BTreeMap<String, Place>>,
    /// By what they say: API and error.
    sizes: RefCell<BTreeMap<(&'static str, &'static str), Point>>,
    /// Tokens with a name that are on their way, by exchange and whether it is the response.
    flying: RefCell<BTreeMap<(u64, bool), Flight>>,
    /// How high the layer is, px.
    height: Cell<f64>,
}

/// Across and down, px.
type Point = (f64, f64);

/// A token's way, straight and even.
#[derive(Clone, Copy)]
struct Flight {
    /// The token's middle within the layer, px.
    start: Point,
    end: Point,
    times: (Instant, Instant),
    /// Width and height, px.
    size: Point,
}

impl Flight {
    fn at(&self, time: Instant) -> Point {
        let share = (time - self.times.0).0 as f64 / (self.times.1 - self.times.0).0.max(1) as f64;
        let between = |start: f64, end: f64| start + (end - start) * share;
        (
            between(self.start.0, self.end.0),
            between(self.start.1, self.end.1),
        )
    }

    /// Whether the two cover each other at some time.
    fn meets(&self, other: &Flight) -> bool {
        let from = self.times.0.max(other.times.0);
        let to = self.times.1.min(other.times.1);
        if from >= to {
            return false;
        }
        let apart = |time| {
            let (one, other) = (self.at(time), other.at(time));
            (one.0 - other.0, one.1 - other.1)
        };
        let (first, last) = (apart(from), apart(to));
        let width = f64::midpoint(self.size.0, other.size.0);
        let height = f64::midpoint(self.size.1, other.size.1);
        // Both distances change evenly: each is too small within one stretch of the time that they share.
        let across = stretch(first.0, last.0, width);
        let along = stretch(first.1, last.1, height);
        across.0.max(along.0) < across.1.min(along.1)
    }
}

/// From when to when (0: the beginning, 1: the end) something that goes evenly from `first` to `last` is less than
/// `least` away from zero.
fn stretch(first: f64, last: f64, least: f64) -> (f64, f64) {
    let change = last - first;
    if change.abs() < f64::EPSILON {
        return if first.abs() < least {
            (0.0, 1.0)
        } else {
            (1.0, 0.0)
        };
    }
    let (one, other) = ((-least - first) / change, (least - first) / change);
    (one.min(other).max(0.0), one.max(other).min(1.0))
}

/// Tracks that a token tries, in its own heights away from the straight way.
const TRACKS: [f64; 11] = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0, 5.0, -5.0];

/// A rectangle, px.
#[derive(Clone, Copy)]
struct Place {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Map {
    /// Where two parties stand. `None`: one of them is not on the stage.
    fn between(&self, layer: &Element, from: &Party, to: &Party) -> Option<(Place, Place)> {
        let (from, to) = (party_name(from), party_name(to));
        let look = || {
            let places = self.places.borrow();
            Some((*places.get(&from)?, *places.get(&to)?))
        };
        let left = self.left.get();
        if left > 0
            && let Some(known) = look()
        {
            self.left.set(left - 1);
            return Some(known);
        }
        self.draw(layer);
        look()
    }

    /// How wide and high a token is.
    fn size(&self, element: &Element, token: &Token) -> Point {
        let says = (token.api.name(), token.error.name());
        let mut sizes = self.sizes.borrow_mut();
        *sizes.entry(says).or_insert_with(|| {
            let rect = element.get_bounding_client_rect();
            (rect.width(), rect.height())
        })
    }

    /// Keeps the way free for a token, if no other is in it and it lies within the layer.
    fn free(&self, key: (u64, bool), flight: Flight) -> Option<Flight> {
        let edge = flight.size.1 / 2.0;
        let is_within = |y: f64| (edge..=self.height.get() - edge).contains(&y);
        let mut flying = self.flying.borrow_mut();
        let is_free = is_within(flight.start.1)
            && is_within(flight.end.1)
            && !flying.values().any(|other| other.meets(&flight));
        is_free.then(|| {
            flying.insert(key, flight);
            flight
        })
    }

    /// Looks where everybody stands now.
    fn draw(&self, layer: &Element) {
        self.left.set(FLIGHTS_PER_MAP);
        self.sizes.borrow_mut().clear();
        let mut places = self.places.borrow_mut();
        places.clear();
        let stage = layer.parent_element();
        let Some(Ok(parties)) = stage.map(|stage| stage.query_selector_all("[data-party]")) else {
            return;
        };
        let origin = layer.get_bounding_client_rect();
        self.height.set(origin.height());
        for index in 0..parties.length() {
            let node = parties.item(index);
            let Some(element) = node.and_then(|node| node.dyn_into::<Element>().ok()) else {
                continue;
            };
            let Some(name) = element.get_attribute("data-party") else {
                continue;
            };
            let rect = element.get_bounding_client_rect();
            let place = Place {
                left: rect.left() - origin.left(),
                right: rect.right() - origin.left(),
                top: rect.top() - origin.top(),
                bottom: rect.bottom() - origin.top(),
            };
            places.insert(name, place);
        }
    }
}

fn party_name(party: &Party) -> String {
    match party {
        Party::Broker(id) => format!("broker:{}", id.0),
        Party::Client(actor) => format!("client:{actor}"),
    }
}

/// Half the width of a token without its name, px.
const CRAMPED_HALF: f64 = 5.0;

/// How far parties that stand side by side are apart, px.
fn gap(from: &Place, to: &Place) -> Option<f64> {
    let gap = (to.left - from.right).max(from.left - to.right);
    (gap >= 0.0).then_some(gap)
}

/// Space between the cards and the stage's edge where parties stand below each other: half of it.
const MARGIN_MIDDLE: f64 = 8.0;

/// Where parties stand side by side: through the gap between them, its own half width away from each.
/// Where they stand below each other: along the margin beside them.
/// `track` is how far below the straight way it goes, px.
fn path(from: &Place, to: &Place, track: f64, half: f64) -> (Point, Point) {
    let middle = |place: &Place| (place.top + place.bottom) / 2.0;
    let (y1, y2) = (middle(from) + track, middle(to) + track);
    // `left` and `right` are the edges of the gap; a token wider than that stays in its middle.
    let across = |left: f64, right: f64| {
        let inset = half.min((right - left) / 2.0);
        (left + inset, right - inset)
    };
    if to.left >= from.right {
        let (left, right) = across(from.right, to.left);
        ((left, y1), (right, y2))
    } else if to.right <= from.left {
        let (left, right) = across(to.right, from.left);
        ((right, y1), (left, y2))
    } else {
        let x = from.right.max(to.right) + MARGIN_MIDDLE;
        ((x, middle(from)), (x, middle(to)))
    }
}
