//! Requests and responses: filtered, listed, drawn over time; and those of a capture beside them.

mod capture;
mod diagram;
mod list;
mod toolbar;

pub use capture::{is_capture, open_file};

use crate::view::messages::MessagesPanel;
use capture::CaptureView;
use diagram::DiagramView;
use list::List;
use std::rc::Rc;
use toolbar::Toolbar;
use yew::prelude::*;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct MessagesViewProps {
    /// The view.
    pub panel: Rc<MessagesPanel>,
}

/// The view.
#[component]
pub fn MessagesView(props: &MessagesViewProps) -> Html {
    let panel = &props.panel;
    html! {
        <div class="messages">
            <Toolbar panel={panel.clone()} />
            <div class="messages-body">
                <DiagramView diagram={panel.diagram.clone()} selected={panel.selected} follows={panel.wish.until.is_none()} />
                <div class="messages-lists">
                    <List panel={panel.clone()} />
                    <CaptureView panel={panel.clone()} />
                </div>
            </div>
        </div>
    }
}

/// Keeps a box scrolled to its end as long as it was there before something was added.
#[hook]
fn use_end(node: &NodeRef, is_wanted: bool) -> Callback<Event> {
    let was_at_end = use_mut_ref(|| true);
    {
        let (node, was_at_end) = (node.clone(), was_at_end.clone());
        use_effect(move || {
            if let Some(element) = node.cast::<web_sys::Element>()
                && is_wanted
                && *was_at_end.borrow()
            {
                element.set_scroll_top(element.scroll_height());
            }
        });
    }
    let node = node.clone();
    Callback::from(move |_: Event| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            let left = element.scroll_height() - element.scroll_top() - element.client_height();
            *was_at_end.borrow_mut() = left < 24;
        }
    })
}
