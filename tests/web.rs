//! The page in a real browser: mounted for each test, judged by its DOM.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// An empty element in the document for one test.
fn root() -> web_sys::Element {
    let document = web_sys::window()
        .and_then(|window| window.document())
        .expect("the tests run in a browser");
    let root = document.create_element("div").expect("div is a valid name");
    root.set_inner_html("<p id=\"boot\">Loading</p>");
    document
        .body()
        .expect("the test page has a body")
        .append_child(&root)
        .expect("a new element can be appended");
    root
}

#[wasm_bindgen_test]
async fn mounting_replaces_the_loading_message_with_the_page() {
    let root = root();
    regroup::page::mount(root.clone());
    yew::scheduler::flush().await;

    let heading = root
        .query_selector("h1")
        .expect("h1 is a valid selector")
        .expect("the page has a heading");
    assert_eq!(heading.text_content().as_deref(), Some("Regroup"));
    assert!(
        root.query_selector("#boot")
            .expect("a valid selector")
            .is_none(),
        "the loading message is gone"
    );
}
