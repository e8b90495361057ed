//! `regroup check`: runs scenario files and says which hold.

use regroup::scenario::{Document, Report, Scenario, try_out};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: regroup check PATH...

Runs every scenario (a file, or all *.json files below a folder) in each of its
variants, and prints one line for each; below it what does not hold.

exit code: 0, or 1 if something does not hold, or 2 if a file is no scenario";

/// Runs the command with what follows its name.
pub fn command(arguments: lexopt::Parser) -> ExitCode {
    let paths = match super::understood(parse(arguments), USAGE) {
        Ok(paths) => paths,
        Err(code) => return code,
    };
    let mut tally = Tally::default();
    for path in &paths {
        if tally.check(path).is_err() {
            // Whoever read the lines has seen enough.
            return ExitCode::SUCCESS;
        }
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    match (tally.bad_files, tally.failed) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::FAILURE,
        (_, _) => super::EXIT_USAGE.into(),
    }
}

fn parse(mut arguments: lexopt::Parser) -> Result<Option<Vec<PathBuf>>, String> {
    let mut paths = Vec::new();
    while let Some(argument) = arguments.next().map_err(|error| error.to_string())? {
        match argument {
            lexopt::Arg::Long("help") | lexopt::Arg::Short('h') => return Ok(None),
            lexopt::Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    match paths.is_empty() {
        true => Err("check what?".to_owned()),
        false => Ok(Some(paths)),
    }
}

#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    bad_files: u64,
}

impl Tally {
    fn check(&mut self, path: &Path) -> io::Result<()> {
        if !path.is_dir() {
            return self.check_file(path);
        }
        match files_below(path) {
            Ok(files) => files.iter().try_for_each(|file| self.check_file(file)),
            Err(error) => self.bad_file(path, &error.to_string()),
        }
    }

    fn check_file(&mut self, path: &Path) -> io::Result<()> {
        let read = read(path);
        let scenarios =
            read.and_then(|document| document.scenarios().map_err(|bad| bad.to_string()));
        match scenarios {
            Ok(scenarios) => scenarios
                .iter()
                .try_for_each(|scenario| self.check_scenario(path, scenario)),
            Err(words) => self.bad_file(path, &words),
        }
    }

    fn check_scenario(&mut self, path: &Path, scenario: &Scenario) -> io::Result<()> {
        let name = name(path, scenario);
        let mut out = io::stdout().lock();
        match try_out(scenario, None, |_| {}) {
            Ok(report) if report.passed() => {
                self.passed += 1;
                let count = report.verdicts.len();
                writeln!(out, "ok      {name} ({count} expectations)")
            }
            Ok(report) => {
                self.failed += 1;
                writeln!(out, "FAILED  {name}")?;
                write_failures(&mut out, &report)
            }
            Err(complaint) => {
                drop(out);
                self.bad_file(path, &complaint.to_string())
            }
        }
    }

    fn bad_file(&mut self, path: &Path, words: &str) -> io::Result<()> {
        self.failed += 1;
        self.bad_files += 1;
        writeln!(io::stdout(), "BAD     {}: {words}", path.display())
    }
}

/// What a scenario is called in a line.
pub fn name(path: &Path, scenario: &Scenario) -> String {
    match &scenario.variant {
        Some((variant, _)) => format!("{} [{variant}]", path.display()),
        None => path.display().to_string(),
    }
}

/// Writes what does not hold, a line each.
pub fn write_failures(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for (index, refusal) in &report.refused {
        let words = regroup::scenario::sentence(refusal);
        writeln!(out, "        acts[{index}]: refused: {words}")?;
    }
    for verdict in report.failures() {
        let failure = verdict.failure.as_deref().unwrap_or_default();
        writeln!(out, "        {}: {} {failure}", verdict.path, verdict.what)?;
    }
    Ok(())
}

/// Reads a scenario file; the error is a sentence.
pub fn read(path: &Path) -> Result<Document, String> {
    // A device or a pipe may never end.
    let length = fs::metadata(path).map_err(|error| error.to_string())?.len();
    let most = regroup::scenario::LENGTH_MAX_BYTES as u64;
    if length > most {
        return Err(format!("a scenario has at most {most} bytes, not {length}"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    Document::parse(&text).map_err(|bad| bad.to_string())
}

/// All JSON files below a folder, in the order of their names.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(path);
        }
    }
    Ok(files)
}
