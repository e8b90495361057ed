//! The page's few icons, drawn on a grid of 16.

use yew::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A triangle.
    Play,
    /// Two bars.
    Pause,
    /// One event forward.
    Step,
    /// One event back.
    Back,
    /// To the next rebalance.
    NextRebalance,
    /// Three dots.
    More,
    /// What time stops at.
    Stop,
    /// A cross.
    Close,
    /// Half a disc.
    Theme,
    /// Downward angle.
    Down,
    /// A plus.
    Plus,
    /// A minus.
    Minus,
    /// A turned arrow.
    Undo,
    /// An arrow out of a tray.
    Share,
}

impl Shape {
    const fn path(self) -> &'static str {
        match self {
            Shape::Play => "M5 3.2v9.6l7.6-4.8z",
            Shape::Pause => "M4.5 3h2.4v10H4.5zM9.1 3h2.4v10H9.1z",
            Shape::Step => "M3.5 3.2v9.6L10 8zM11 3h1.8v10H11z",
            Shape::Back => "M12.5 3.2v9.6L6 8zM5 3H3.2v10H5z",
            Shape::NextRebalance => "M2 3.4v9.2L7.4 8zM7.4 3.4v9.2L12.8 8zM12.8 3h1.5v10h-1.5z",
            Shape::More => {
                "M3 6.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8zm5 0a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8zm5 0a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8z"
            }
            Shape::Stop => {
                "M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zm.6 1.4L2.9 5.9v4.2l3 3h4.2l3-3V5.9l-3-3zM5.5 5.5h1.7v5H5.5zm3.3 0h1.7v5H8.8z"
            }
            Shape::Close => {
                "M4.2 3.2 8 7l3.8-3.8 1 1L9 8l3.8 3.8-1 1L8 9l-3.8 3.8-1-1L7 8 3.2 4.2z"
            }
            Shape::Theme => "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.4v9.2a4.6 4.6 0 0 1 0-9.2z",
            Shape::Down => "M3.6 5.8 8 10.2l4.4-4.4 1 1L8 12.2 2.6 6.8z",
            Shape::Plus => "M7.3 3h1.4v4.3H13v1.4H8.7V13H7.3V8.7H3V7.3h4.3z",
            Shape::Minus => "M3 7.3h10v1.4H3z",
            Shape::Undo => {
                "M6.2 2.6 3 5.8 6.2 9l1-1-1.5-1.5H9a2.8 2.8 0 0 1 0 5.6H5v1.4h4a4.2 4.2 0 0 0 0-8.4H5.7l1.5-1.5z"
            }
            Shape::Share => {
                "M8 1.6 11.6 5.2l-1 1L8.7 4.3V10H7.3V4.3L5.4 6.2l-1-1zM3 8h1.4v4.6h7.2V8H13v6H3z"
            }
        }
    }
}

/// What to draw.
#[derive(PartialEq, Properties)]
pub struct IconProps {
    /// Which one.
    pub shape: Shape,
}

/// An icon beside or instead of a text that says the same.
#[component]
pub fn Icon(props: &IconProps) -> Html {
    html! {
        <svg viewBox="0 0 16 16" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d={props.shape.path()} /></svg>
    }
}
