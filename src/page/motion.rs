//! What glides: Web Animations that run on virtual time, and flights of chips.
//!
//! An animation is started once, with its start and end in virtual time; its `playbackRate` is the
//! speed, 0 while time stands. The driver tells the instant and the rate; all running animations
//! follow when the rate changes or time jumps.

use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use js_sys::{Array, Object, Reflect};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web_sys::{Animation, Element};

#[wasm_bindgen]
extern "C" {
    /// An element, with the one method that web-sys keeps back.
    type Animatable;
    #[wasm_bindgen(method)]
    fn animate(this: &Animatable, keyframes: &JsValue, options: &JsValue) -> Animation;
}

thread_local! {
    static NOW: Cell<Instant> = const { Cell::new(Instant::ZERO) };
    static RATE: Cell<f64> = const { Cell::new(0.0) };
    static RUNNING: RefCell<SortedMap<u64, (Animation, Instant)>> = const { RefCell::new(SortedMap::new()) };
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// Virtual microseconds as the milliseconds of an animation.
fn ms(us: i64) -> f64 {
    // Precise up to 2^53 µs, some 285 years.
    us as f64 / 1_000.0
}

/// Time went on as usual.
pub fn set_now(now: Instant) {
    NOW.set(now);
}

/// Time jumped, or runs at another rate: every animation is set anew.
pub fn retime(now: Instant, rate: f64) {
    NOW.set(now);
    RATE.set(rate);
    RUNNING.with_borrow(|running| {
        for (animation, from) in running.values() {
            align(animation, *from);
        }
    });
}

fn align(animation: &Animation, from: Instant) {
    animation.set_playback_rate(RATE.get());
    animation.set_current_time(Some(ms((NOW.get() - from).0)));
}

/// One keyframe or option object.
pub fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in entries {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

fn animate(element: &Element, keyframes: &[JsValue], options: &[(&str, JsValue)]) -> Animation {
    let list: Array = keyframes.iter().collect();
    element
        .unchecked_ref::<Animatable>()
        .animate(&list, &object(options))
}

/// An animation on virtual time; it ends when this is dropped.
pub struct Running {
    key: u64,
    animation: Animation,
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(|running| running.remove(&self.key));
        self.animation.cancel();
    }
}

/// Moves `element` through `keyframes` from one instant to another.
pub fn run(element: &Element, keyframes: &[JsValue], from: Instant, to: Instant) -> Running {
    let animation = animate(
        element,
        keyframes,
        &[
            ("duration", ms((to - from).0.max(1)).into()),
            ("fill", "both".into()),
        ],
    );
    align(&animation, from);
    let key = LAST.get() + 1;
    LAST.set(key);
    RUNNING.with_borrow_mut(|running| running.insert(key, (animation.clone(), from)));
    Running { key, animation }
}

/// Whether the person asked for less motion.
pub fn is_reduced() -> bool {
    web_sys::window()
        .and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok())
        .flatten()
        .is_some_and(|query| query.matches())
}

/// How long a flight lasts, in wall-clock ms.
const FLIGHT_MS: f64 = 260.0;

/// Lets `element` come from `dx`, `dy` pixels away to where it is.
pub fn fly(element: &Element, dx: f64, dy: f64) {
    if is_reduced() {
        return;
    }
    let from = format!("translate({dx:.1}px, {dy:.1}px)");
    animate(
        element,
        &[
            object(&[("transform", from.into()), ("zIndex", "4".into())]),
            object(&[("transform", "none".into()), ("zIndex", "4".into())]),
        ],
        &[
            ("duration", FLIGHT_MS.into()),
            ("easing", "cubic-bezier(0.2, 0.7, 0.2, 1)".into()),
        ],
    );
}

/// Lets `element` light up once.
pub fn flash(element: &Element) {
    animate(
        element,
        &[
            object(&[("boxShadow", "0 0 0 0 var(--danger)".into())]),
            object(&[
                ("boxShadow", "0 0 0 4px var(--danger)".into()),
                ("offset", 0.2.into()),
            ]),
            object(&[("boxShadow", "0 0 0 6px transparent".into())]),
        ],
        &[("duration", if is_reduced() { 1.0 } else { 700.0 }.into())],
    );
}
