//! Every scenario file of the project holds, natively and in the browser.

use regroup::scenario::{Document, LIBRARY, try_out};
use regroup::world::Observer;
use regroup::world::trace::TraceHash;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// Runs all scenarios of a file.
fn check(name: &str, text: &str) {
    let document = Document::parse(text).unwrap_or_else(|bad| panic!("{name}: {bad}"));
    let scenarios = document
        .scenarios()
        .unwrap_or_else(|bad| panic!("{name}: {bad}"));
    for scenario in &scenarios {
        let variant = scenario.variant.as_ref().map_or("", |(name, _)| name);
        let report = try_out(scenario, None, |_| {})
            .unwrap_or_else(|complaint| panic!("{name} [{variant}]: {complaint}"));
        let failures: Vec<_> = report.failures().collect();
        assert!(
            report.passed(),
            "{name} [{variant}]: {:?} {failures:#?}",
            report.refused
        );
        assert!(
            !report.verdicts.is_empty(),
            "{name} [{variant}] expects something"
        );
    }
}

/// The trace of the class-room, as a number: the same natively, in the browser, and next year.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn the_class_rooms_trace_is_the_same_everywhere() {
    let text = include_str!("../src/scenario/library/class-room.json");
    let document = Document::parse(text).expect("it is read");
    let scenario = document.scenario(None).expect("it is whole");
    let mut hash = TraceHash::default();
    try_out(&scenario, None, |fact| hash.fold(fact)).expect("it runs");
    assert_eq!((hash.facts(), hash.value()), CLASS_ROOM);
}

/// Facts in the class-room's trace, and its hash.
const CLASS_ROOM: (u64, u64) = (37_063, 15_844_551_886_257_710_860);

macro_rules! scenarios {
    ($files:ident, $folder:literal; $($test:ident $file:literal;)*) => {
        /// Every file in the folder, by name.
        #[cfg(not(target_arch = "wasm32"))]
        const $files: &[&str] = &[$($file,)*];

        $(
            #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
            #[cfg_attr(not(target_arch = "wasm32"), test)]
            fn $test() {
                check($file, include_str!(concat!($folder, "/", $file, ".json")));
            }
        )*
    };
}

scenarios! { FILES, "data/scenarios";
    accounting_example_1_holds "acct-1";
    accounting_example_4_holds "acct-4";
    accounting_example_5_holds "acct-5";
    accounting_example_6_holds "acct-6";
    accounting_example_7_holds "acct-7";
    accounting_example_8_holds "acct-8";
    accounting_example_9_holds "acct-9";
    a_run_against_brokers_of_2_5_holds "brokers-of-2-5";
}

scenarios! { INCIDENTS, "../static/incidents";
    incident_1_holds "i-001";
    incident_2_holds "i-002";
    incident_3_holds "i-003";
    incident_4_holds "i-004";
    incident_5_holds "i-005";
    incident_6_holds "i-006";
    incident_7_holds "i-007";
    incident_8_holds "i-008";
    incident_9_holds "i-009";
    incident_10_holds "i-010";
    incident_11_holds "i-011";
    incident_12_holds "i-012";
    incident_13_holds "i-013";
    incident_14_holds "i-014";
    incident_15_holds "i-015";
    incident_16_holds "i-016";
    incident_17_holds "i-017";
    incident_18_holds "i-018";
    incident_19_holds "i-019";
    incident_20_holds "i-020";
    incident_21_holds "i-021";
    incident_22_holds "i-022";
    incident_23_holds "i-023";
    incident_24_holds "i-024";
    incident_25_holds "i-025";
    incident_26_holds "i-026";
    incident_27_holds "i-027";
    incident_28_holds "i-028";
    incident_29_holds "i-029";
    incident_30_holds "i-030";
    incident_31_holds "i-031";
    incident_32_holds "i-032";
    incident_33_holds "i-033";
    incident_34_holds "i-034";
    incident_35_holds "i-035";
    incident_36_holds "i-036";
    incident_37_holds "i-037";
    incident_38_holds "i-038";
    incident_39_holds "i-039";
    incident_40_holds "i-040";
    incident_41_holds "i-041";
    incident_42_holds "i-042";
}

scenarios! { RECORDED, "data/scenarios";
    the_recorded_crash_holds "wire-crash";
    the_recorded_join_holds "wire-join-fourth";
    the_recorded_leave_holds "wire-leave";
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn the_library_holds() {
    for entry in LIBRARY {
        check(entry.name, entry.text);
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn no_file_is_forgotten() {
    let listed = |folder: &str| {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("readable").path())
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        names.sort();
        names
    };
    assert_eq!(listed("tests/data/scenarios"), [FILES, RECORDED].concat());
    let mut incidents = listed("static/incidents");
    incidents.retain(|name| name != "index");
    assert_eq!(incidents, INCIDENTS);
    let mut library: Vec<&str> = LIBRARY.iter().map(|entry| entry.name).collect();
    library.sort_unstable();
    assert_eq!(listed("src/scenario/library"), library);
}
