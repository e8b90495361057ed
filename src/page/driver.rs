//! The only wall clock: a frame of the browser becomes a stretch of virtual time.

use gloo_render::{AnimationFrame, request_animation_frame};
use yew::Callback;

/// The longest stretch of real time that one frame may stand for, ms: after a pause of the browser the
/// world goes on where it stood.
const FRAME_MOST_MS: f64 = 100.0;
/// Real time that the engine may take in one frame, ms.
const ENGINE_MOST_MS: f64 = 6.0;

/// Frames, one after the other.
pub struct Driver {
    handle: Option<AnimationFrame>,
    on_frame: Callback<f64>,
    made_ms: f64,
    last_ms: Option<f64>,
}

impl Driver {
    /// Tells `on_frame` the time of every frame that was asked for with [`Driver::next`]. Time runs from
    /// now: the first frame already moves.
    pub fn new(on_frame: Callback<f64>) -> Self {
        Self {
            handle: None,
            on_frame,
            made_ms: now_ms(),
            last_ms: None,
        }
    }

    /// Asks for the next frame.
    pub fn next(&mut self) {
        let on_frame = self.on_frame.clone();
        self.handle = Some(request_animation_frame(move |ms| on_frame.emit(ms)));
    }

    /// Real µs since the frame before, and whether the browser had stood still.
    pub fn elapsed_us(&mut self, ms: f64) -> (i64, bool) {
        let passed = match self.last_ms.replace(ms) {
            Some(last) => ms - last,
            // The browser may have dated this frame before all that the page did to come about.
            None => now_ms() - self.made_ms,
        };
        let kept = passed.clamp(0.0, FRAME_MOST_MS);
        // Below 2^53, and never negative.
        ((kept * 1_000.0) as i64, passed > FRAME_MOST_MS)
    }
}

/// Whether the engine still has time in a frame that it began to use now.
pub fn engine_time() -> impl Fn() -> bool {
    time_of(ENGINE_MOST_MS)
}

/// Whether less than so many ms of real time have passed since now.
pub fn time_of(most_ms: f64) -> impl Fn() -> bool {
    let start = now_ms();
    move || now_ms() - start < most_ms
}

/// The browser's time, ms since the page was asked for: the time that frames have, too.
fn now_ms() -> f64 {
    let clock = web_sys::window().and_then(|window| window.performance());
    clock.map_or(0.0, |clock| clock.now())
}
