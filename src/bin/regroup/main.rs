//! The native program. Nothing of it exists in the browser, for which this file is compiled as well.

// Clock, sockets, threads and files are this program's own; the bans of clippy.toml are for the
// layers below.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

#[cfg(not(target_arch = "wasm32"))]
mod assign;
#[cfg(not(target_arch = "wasm32"))]
mod check;
#[cfg(not(target_arch = "wasm32"))]
mod run;
#[cfg(not(target_arch = "wasm32"))]
mod serve;

#[cfg(not(target_arch = "wasm32"))]
const USAGE: &str = "\
usage: regroup COMMAND

commands:
  assign   read assignor cases from standard input, one JSON object per line;
           write one result per line
  check    run scenario files and say which hold
  run      run one scenario and print what came of it
  serve    serve a broker to Kafka clients on this machine

regroup COMMAND --help says more.";

/// Exit code of a call that was not understood.
#[cfg(not(target_arch = "wasm32"))]
const EXIT_USAGE: u8 = 2;

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    let mut arguments = lexopt::Parser::from_env();
    match arguments.next() {
        Ok(Some(lexopt::Arg::Long("help") | lexopt::Arg::Short('h'))) => {
            println!("{USAGE}");
            std::process::ExitCode::SUCCESS
        }
        Ok(Some(lexopt::Arg::Value(command))) => match command.to_str() {
            Some("assign") => assign::command(arguments),
            Some("check") => check::command(arguments),
            Some("run") => run::command(arguments),
            Some("serve") => serve::command(arguments),
            _ => wrong_usage(&format!("unknown command {command:?}")),
        },
        Ok(Some(other)) => wrong_usage(&other.unexpected().to_string()),
        Ok(None) => wrong_usage("no command"),
        Err(error) => wrong_usage(&error.to_string()),
    }
}

/// The arguments of a command, where they make a call. Otherwise what was asked for or is wrong with them has
/// been said, and the program ends with this code.
#[cfg(not(target_arch = "wasm32"))]
fn understood<C>(
    parsed: Result<Option<C>, String>,
    usage: &str,
) -> Result<C, std::process::ExitCode> {
    match parsed {
        Ok(Some(call)) => Ok(call),
        Ok(None) => {
            println!("{usage}");
            Err(std::process::ExitCode::SUCCESS)
        }
        Err(words) => Err(wrong_usage(&words)),
    }
}

/// Says what was not understood and how it is done.
#[cfg(not(target_arch = "wasm32"))]
fn wrong_usage(what: &str) -> std::process::ExitCode {
    eprintln!("regroup: {what}\n{USAGE}");
    EXIT_USAGE.into()
}
