//! The adapter of the little store. It implements only the lines of `Vectors/protocol.md`.
//!
//! An adapter for another store is this file with another `about` and another `perform`.

mod json;
mod store;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use json::{list, object, Value};
use store::LittleStore;

const VERSION: u64 = 1;

fn main() -> ExitCode {
    match serve(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

/// Responds to requests until the last one or the end of the input.
fn serve(requests: impl BufRead, mut replies: impl Write) -> Result<(), Box<dyn Error>> {
    let mut store = LittleStore::default();
    for line in requests.split(b'\n') {
        let request = json::parse(&line?)?;
        let id = request.get("id").ok_or("a request without an id")?;
        let (name, content) = answer(&request, &mut store)?;
        let refused = name == "error" && request.get("hello").is_some();
        let reply = object([("id", id.clone()), (name, content)]);
        replies.write_all(format!("{reply}\n").as_bytes())?;
        replies.flush()?;
        if refused || request.get("bye").is_some() {
            break;
        }
    }
    Ok(())
}

/// Returns the response to a request: `ok` with its result, or `error` with its members.
fn answer(request: &Value, store: &mut LittleStore) -> Result<(&'static str, Value), &'static str> {
    if let Some(question) = request.get("hello") {
        return Ok(hello(question));
    }
    if let Some(operation) = request.get("perform") {
        return Ok(match store.perform(operation) {
            Ok(result) => ("ok", result),
            Err(refusal) => ("error", refusal.to_json()),
        });
    }
    if request.get("reset").is_some() {
        *store = LittleStore::default();
    } else if request.get("bye").is_none() {
        return Err("unknown request");
    }
    Ok(("ok", object([])))
}

/// Returns the description of the store, or an error if the runner does not support this version.
fn hello(question: &Value) -> (&'static str, Value) {
    let version = |name| question.get("protocol")?.get(name)?.as_integer();
    match (version("first"), version("last")) {
        (Some(first), Some(last)) if (first..=last).contains(&VERSION.into()) => ("ok", about()),
        _ => {
            let message = format!("this adapter speaks version {VERSION} of the protocol");
            ("error", object([("message", message.into())]))
        }
    }
}

/// The description of the store. Vectors of undeclared capabilities and profiles are skipped.
fn about() -> Value {
    let limits = [("depth", LittleStore::LARGEST_DEPTH.into())];
    object([
        ("protocol", VERSION.into()),
        ("name", "little-store".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("language", "Rust".into()),
        ("capabilities", list(LittleStore::CAPABILITIES)),
        ("profiles", list(LittleStore::PROFILES)),
        ("limits", object(limits)),
        ("pipelining", true.into()),
    ])
}
