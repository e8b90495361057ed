//! Mounts the page; nothing else.

#[cfg(target_arch = "wasm32")]
fn main() {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html has an element with the id app");
    regroup::page::mount(root);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This is the page: it runs in a browser. See README.md, or run `./run serve`.");
    std::process::exit(2);
}
