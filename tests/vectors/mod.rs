//! Reading of recorded vectors, from `tests/data/vectors` or from the folder that `REGROUP_VECTORS` names.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

/// The lines of a file, compressed (`.gz` behind its name) or not.
pub fn lines(name: &str) -> Vec<String> {
    let folder = match std::env::var_os("REGROUP_VECTORS") {
        Some(folder) => folder.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors"),
    };
    let plain = folder.join(name);
    let bytes: Box<dyn Read> = match File::open(&plain) {
        Ok(file) => Box::new(file),
        Err(_) => {
            let packed = folder.join(format!("{name}.gz"));
            let file =
                File::open(&packed).unwrap_or_else(|error| panic!("{}: {error}", packed.display()));
            Box::new(flate2::read::GzDecoder::new(file))
        }
    };
    BufReader::new(bytes)
        .lines()
        .map(|line| line.expect("text in UTF-8"))
        .collect()
}
