//! Requests and responses on their way.

use crate::page::motion::{self, object};
use crate::view::stage::{Party, Token};
use std::rc::Rc;
use web_sys::{DomRect, Element};
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
    html! {
        <div class="wire" aria-hidden="true">
            { for props.tokens.iter().map(|token| html! {
                <TokenView key={format!("{}{}", token.exchange, token.is_response)} token={token.clone()} />
            }) }
        </div>
    }
}

/// Which one.
#[derive(PartialEq, Properties)]
struct TokenViewProps {
    token: Token,
}

#[component]
fn TokenView(props: &TokenViewProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with(props.token.clone(), move |token| {
            let running = node
                .cast::<Element>()
                .and_then(|element| launch(&element, token));
            move || drop(running)
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

/// Sets the token on its path, from beside its sender to beside its receiver: it covers neither.
fn launch(element: &Element, token: &Token) -> Option<motion::Running> {
    let layer = element.parent_element()?;
    let stage = layer.parent_element()?;
    let origin = layer.get_bounding_client_rect();
    let from = party_rect(&stage, &token.from)?;
    let to = party_rect(&stage, &token.to)?;
    let size = element.get_bounding_client_rect();
    let step = if token.is_group_traffic() { 9.0 } else { 5.0 };
    let ((x1, y1), (x2, y2)) = path(&from, &to, token.exchange, step, size.width() / 2.0);
    let at = |x: f64, y: f64| {
        let (left, top) = (
            x - origin.left() - size.width() / 2.0,
            y - origin.top() - size.height() / 2.0,
        );
        object(&[
            (
                "transform",
                format!("translate({left:.1}px, {top:.1}px)").into(),
            ),
            ("visibility", "visible".into()),
        ])
    };
    Some(motion::run(
        element,
        &[at(x1, y1), at(x2, y2)],
        token.departs,
        token.arrives,
    ))
}

fn party_rect(stage: &Element, party: &Party) -> Option<DomRect> {
    let name = match party {
        Party::Broker(id) => format!("broker:{}", id.0),
        // Names come from scenario files; a quote in one must not end the selector.
        Party::Client(actor) => format!("client:{actor}").replace(['"', '\\'], ""),
    };
    let found = stage
        .query_selector(&format!("[data-party=\"{name}\"]"))
        .ok()??;
    Some(found.get_bounding_client_rect())
}

/// Space between the cards and the stage's edge where parties stand below each other: half of it.
const MARGIN_MIDDLE: f64 = 8.0;

/// Where parties stand side by side: through the gap between them, its own half width away from each.
/// Where they stand below each other: along the margin beside them.
fn path(
    from: &DomRect,
    to: &DomRect,
    exchange: u64,
    step: f64,
    half: f64,
) -> ((f64, f64), (f64, f64)) {
    // Neighbouring exchanges take neighbouring tracks, so that they can be told apart.
    let track = f64::from(u8::try_from(exchange % 5).unwrap_or(0)) * step - 2.0 * step;
    let middle = |rect: &DomRect| rect.top() + rect.height() / 2.0;
    let (y1, y2) = (middle(from) + track, middle(to) + track);
    // `left` and `right` are the edges of the gap; a token wider than that stays in its middle.
    let across = |left: f64, right: f64| {
        let inset = half.min((right - left) / 2.0);
        (left + inset, right - inset)
    };
    if to.left() >= from.right() {
        let (left, right) = across(from.right(), to.left());
        ((left, y1), (right, y2))
    } else if to.right() <= from.left() {
        let (left, right) = across(to.right(), from.left());
        ((right, y1), (left, y2))
    } else {
        let x = from.right().max(to.right()) + MARGIN_MIDDLE;
        ((x, middle(from)), (x, middle(to)))
    }
}
