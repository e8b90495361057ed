//! `regroup assign`: assignor cases in, results out, line by line.

use regroup::cases::Case;
use regroup::kafka::assignor::Explain;
use serde::Serialize;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::process::ExitCode;

const USAGE: &str = "\
usage: regroup assign < CASES > RESULTS

Reads one case per line (a JSON object: assignor, topics, members, ...) and writes
one result per line: {\"id\", \"assignment\", \"held_back\"?, \"rejoin\"?, \"error\"?}.
A line that is not a case is reported on standard error with its number, answered
by {\"line\", \"error\"}, and the next one is read. Empty lines are passed over.

exit code: 0, or 1 if a line was not a case, or 2 if the call was not understood";

/// Longest line that is read. The largest groups of Kafka's limits need a tenth of it.
const LINE_BYTES_MAX: u64 = 64 << 20;

/// What is written for a line that is not a case.
#[derive(Serialize)]
struct BadLine {
    line: u64,
    error: String,
}

/// Runs the command with what follows its name.
pub fn command(mut arguments: lexopt::Parser) -> ExitCode {
    match arguments.next() {
        Ok(None) => {}
        Ok(Some(lexopt::Arg::Long("help") | lexopt::Arg::Short('h'))) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Ok(Some(other)) => return super::wrong_usage(&other.unexpected().to_string()),
        Err(error) => return super::wrong_usage(&error.to_string()),
    }
    let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    match assign_lines(input, BufWriter::new(io::stdout().lock())) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        // Whoever read the results has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("regroup assign: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers every line; returns how many were not cases.
fn assign_lines(mut input: BufReader<impl Read>, mut output: impl Write) -> io::Result<u64> {
    let mut line = Vec::new();
    let mut number = 0;
    let mut bad_lines = 0;
    loop {
        line.clear();
        if input
            .by_ref()
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut line)?
            == 0
        {
            output.flush()?;
            return Ok(bad_lines);
        }
        number += 1;
        let cut = !line.ends_with(b"\n") && u64::try_from(line.len()) == Ok(LINE_BYTES_MAX);
        if cut {
            input.skip_until(b'\n')?;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = if cut {
            Err("the line is longer than 64 MiB".to_owned())
        } else {
            answer(&line)
        };
        match answer {
            Ok(result) => output.write_all(result.as_bytes())?,
            Err(error) => {
                bad_lines += 1;
                eprintln!("regroup assign: line {number}: {error}");
                serde_json::to_writer(
                    &mut output,
                    &BadLine {
                        line: number,
                        error,
                    },
                )?;
            }
        }
        output.write_all(b"\n")?;
        // Whoever sends a line and waits for its result must get it.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

fn answer(line: &[u8]) -> Result<String, String> {
    let text = str::from_utf8(line).map_err(|error| error.to_string())?;
    let case = Case::parse(text).map_err(|error| error.to_string())?;
    let result = case.run(&mut Explain::off());
    serde_json::to_string(&result).map_err(|error| error.to_string())
}
