//! `regroup run`: runs one scenario and says what came of it.

use super::check::{name, read, write_failures};
use regroup::kafka::time::Instant;
use regroup::ledger::{GroupLedger, Ledger, Readers};
use regroup::scenario::{Document, Report, Scenario, try_out};
use regroup::session::{Retrace, Session};
use regroup::view::messages::Recorder;
use regroup::world::trace::{head, write_line};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: regroup run FILE [--variant NAME] [--until MS] [--trace] [--json] [--pcap OUT]

Runs the scenario in FILE and prints a summary: what each group went through, and
which expectations hold.

  --variant NAME  one of the file's variants; without it all of them
  --until MS      end earlier than the file says
  --trace         print every fact as it happens, a line of JSON each
  --pcap OUT      write every request and response to the capture file OUT, for
                  Wireshark and its like; of several variants the last one's
  --json          print the summary as JSON, one object per variant

A report that the page saved (Share, Report a difference) is such a file: its trace
hash is held against that of the same run here.

exit code: 0, or 1 if an expectation does not hold or a report's hash is another one,
or 2 if the file is no scenario";

#[derive(Default)]
struct Call {
    file: Option<PathBuf>,
    variant: Option<String>,
    until: Option<Instant>,
    trace: bool,
    json: bool,
    pcap: Option<PathBuf>,
}

/// Runs the command with what follows its name.
pub fn command(arguments: lexopt::Parser) -> ExitCode {
    let call = match super::understood(parse(arguments), USAGE) {
        Ok(call) => call,
        Err(code) => return code,
    };
    let Some(file) = &call.file else {
        return super::wrong_usage("run what?");
    };
    let scenarios = read(file).and_then(|document| {
        let scenarios = chosen(&document, call.variant.as_deref())?;
        Ok((reported(&document), scenarios))
    });
    let (reported, scenarios) = match scenarios {
        Ok(both) => both,
        Err(words) => return bad_file(&call, &words),
    };
    let mut holds = reported.as_ref().is_none_or(|(there, here)| there == here);
    for scenario in &scenarios {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut line = String::new();
        let mut recorder = call.pcap.as_ref().map(|_| Recorder::default());
        if call.trace {
            let _ = out.write_all(head().as_bytes());
        }
        let report = try_out(scenario, call.until, |fact| {
            if let Some(recorder) = &mut recorder {
                recorder.fold(fact);
            }
            if call.trace {
                line.clear();
                write_line(fact, &mut line);
                // A reader that has gone away is noticed at the summary.
                let _ = out.write_all(line.as_bytes());
            }
        });
        let report = match report {
            Ok(report) => report,
            Err(complaint) => return bad_file(&call, &complaint.to_string()),
        };
        holds &= report.passed();
        if let (Some(path), Some(recorder)) = (&call.pcap, recorder)
            && let Err(error) = std::fs::write(path, recorder.file())
        {
            eprintln!("regroup run: {}: {error}", path.display());
            return super::EXIT_USAGE.into();
        }
        let written = match call.json {
            true => writeln!(out, "{}", as_json(scenario, &report, reported.as_ref())),
            false => write_summary(&mut out, &name(file, scenario), scenario, &report),
        };
        let written = written.and_then(|()| match &reported {
            Some((there, here)) if !call.json => writeln!(
                out,
                "  reported: trace hash {there}; here it is {}",
                if there == here { "the same" } else { here }
            ),
            _ => Ok(()),
        });
        if written.and_then(|()| out.flush()).is_err() {
            return ExitCode::SUCCESS;
        }
    }
    match holds {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn parse(mut arguments: lexopt::Parser) -> Result<Option<Call>, String> {
    let mut call = Call::default();
    let text = |value: Result<std::ffi::OsString, lexopt::Error>| {
        let value = value.map_err(|error| error.to_string())?;
        value
            .into_string()
            .map_err(|value| format!("{value:?} is not a text"))
    };
    loop {
        match arguments.next().map_err(|error| error.to_string())? {
            None => return Ok(Some(call)),
            Some(lexopt::Arg::Long("help") | lexopt::Arg::Short('h')) => return Ok(None),
            Some(lexopt::Arg::Long("trace")) => call.trace = true,
            Some(lexopt::Arg::Long("json")) => call.json = true,
            Some(lexopt::Arg::Long("pcap")) => {
                call.pcap = Some(PathBuf::from(text(arguments.value())?));
            }
            Some(lexopt::Arg::Long("variant")) => call.variant = Some(text(arguments.value())?),
            Some(lexopt::Arg::Long("until")) => {
                let value = text(arguments.value())?;
                let ms = value.parse::<i64>().map_err(|_| {
                    format!("--until takes a whole number of milliseconds, not {value:?}")
                })?;
                call.until = Some(Instant::from_ms(ms));
            }
            Some(lexopt::Arg::Value(file)) if call.file.is_none() => {
                call.file = Some(PathBuf::from(file));
            }
            Some(other) => return Err(other.unexpected().to_string()),
        }
    }
}

fn chosen(document: &Document, variant: Option<&str>) -> Result<Vec<Scenario>, String> {
    match variant {
        Some(variant) => document
            .scenario(Some(variant))
            .map(|scenario| vec![scenario]),
        None => document.scenarios(),
    }
    .map_err(|bad| bad.to_string())
}

/// The hash of the trace that a file's report speaks of, and that of the same run here.
fn reported(document: &Document) -> Option<(String, String)> {
    let (report, open) = (
        document.file().report.as_ref()?,
        document.file().open.as_ref()?,
    );
    let scenario = document.scenario(None).ok()?;
    let mut session = Session::new(scenario.setup, scenario.acts).ok()?;
    session.seek_into(open.at, open.done);
    let traced = Retrace::of(&session)?.advance(u64::MAX)?;
    Some((
        report.trace_hash.to_string(),
        format!("{:016x}", traced.hash),
    ))
}

fn bad_file(call: &Call, words: &str) -> ExitCode {
    match &call.file {
        Some(file) => eprintln!("regroup run: {}: {words}", file.display()),
        None => eprintln!("regroup run: {words}"),
    }
    super::EXIT_USAGE.into()
}

fn write_summary(
    out: &mut impl Write,
    name: &str,
    scenario: &Scenario,
    report: &Report,
) -> io::Result<()> {
    writeln!(out, "{name}: {}", scenario.title.en)?;
    writeln!(out, "  until {} ms, {} facts", report.until, report.facts)?;
    for (readers, ledger) in report.ledger.shares() {
        let title = match readers {
            Readers::Group(group) => format!("group {group}"),
            Readers::Lone(actor) => format!("{actor} (no group)"),
        };
        let summary = Summary::of(ledger, &report.ledger, report.until);
        writeln!(out, "  {title}")?;
        for (label, value) in summary.rows() {
            writeln!(out, "    {label:<22}{value}")?;
        }
    }
    let failed = report.failures().count();
    let held = report.verdicts.len() - failed;
    writeln!(out, "  {held} expectations hold, {failed} do not")?;
    write_failures(out, report)
}

fn as_json(scenario: &Scenario, report: &Report, reported: Option<&(String, String)>) -> Value {
    let mut groups = serde_json::Map::new();
    let mut lone = serde_json::Map::new();
    for (readers, ledger) in report.ledger.shares() {
        let summary = Summary::of(ledger, &report.ledger, report.until);
        let rows = summary.rows().into_iter();
        let rows = rows.map(|(label, value)| (label.to_owned(), value));
        let among = match readers {
            Readers::Group(_) => &mut groups,
            Readers::Lone(_) => &mut lone,
        };
        among.insert(readers.to_string(), Value::Object(rows.collect()));
    }
    let verdicts: Vec<Value> = report
        .verdicts
        .iter()
        .map(|verdict| {
            json!({
                "path": verdict.path,
                "what": verdict.what,
                "holds": verdict.failure.is_none(),
                "failure": verdict.failure,
            })
        })
        .collect();
    let refused: Vec<Value> = report
        .refused
        .iter()
        .map(|(index, refusal)| json!({"act": index, "why": regroup::scenario::sentence(refusal)}))
        .collect();
    json!({
        "title": &*scenario.title.en,
        "variant": scenario.variant.as_ref().map(|(name, _)| &**name),
        "until_ms": report.until.as_ms(),
        "facts": report.facts,
        "groups": groups,
        "consumers_without_group": lone,
        "expectations": verdicts,
        "refused_acts": refused,
        "reported_trace_hash": reported.map(|(there, _)| there),
        "trace_hash": reported.map(|(_, here)| here),
        "passed": report.passed(),
    })
}

/// What a group went through, in numbers.
struct Summary {
    state: Option<&'static str>,
    generation: Option<i32>,
    numbers: [(&'static str, u64); 11],
    times_us: [(&'static str, i64); 2],
}

impl Summary {
    fn of(group: &GroupLedger, ledger: &Ledger, until: Instant) -> Self {
        let band = group.timeline.now();
        let lag = group.partitions().filter_map(|(partition, entry)| {
            let log = ledger.log(partition)?;
            regroup::ledger::Lag::of(&entry.deliveries, log).committed
        });
        let lag: i64 = lag.sum();
        let (forced, voluntary) = group.rebalances.moved();
        let unowned = group
            .partitions()
            .map(|(_, entry)| entry.ownership.unowned(until).0);
        let deliveries =
            |of: fn(&regroup::ledger::Deliveries) -> u64| group.sum(|entry| of(&entry.deliveries));
        Self {
            state: band.map(|band| band.state.name()),
            generation: band.map(|band| band.generation.0),
            numbers: [
                ("rebalances", group.rebalances.count()),
                ("moved, forced", forced),
                ("moved, voluntary", voluntary),
                ("revoked", group.members.revoked()),
                ("delivered", deliveries(|one| one.delivered())),
                ("done", deliveries(|one| one.done())),
                (
                    "duplicates",
                    deliveries(|one| one.duplicates().deliveries()),
                ),
                ("skipped", deliveries(|one| one.skipped())),
                ("skipped by reset", deliveries(|one| one.skipped_by_reset())),
                ("expired unread", deliveries(|one| one.expired_unread())),
                ("committed lag", u64::try_from(lag).unwrap_or(0)),
            ],
            times_us: [
                ("unowned, ms", unowned.sum()),
                ("paused, ms", group.paused(until).0),
            ],
        }
    }

    fn rows(&self) -> Vec<(&'static str, Value)> {
        let mut rows = vec![
            ("state", json!(self.state)),
            ("generation", json!(self.generation)),
        ];
        rows.extend(self.numbers.map(|(label, number)| (label, json!(number))));
        rows.extend(self.times_us.map(|(label, us)| (label, json!(us / 1_000))));
        rows
    }
}
