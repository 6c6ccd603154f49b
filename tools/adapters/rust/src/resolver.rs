//! A conflict resolver in Rust, as an adapter with a resolver and without a store.
//!
//!     (cd tools/adapters/rust && cargo build --release)
//!     touchstone resolver --implementation exec:tools/adapters/rust/target/release/resolver
//!
//! It merges member by member. Where two sides differ, the value of the winner remains. To check another
//! resolver, replace `resolve`. `Vectors/protocol.md` describes the lines.

#[allow(dead_code)] // A resolver uses only a part of it.
mod json;

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, BufRead, Write};

use json::{object, Value};

/// Returns the answer to a conflict.
fn resolve(conflict: &Value) -> Option<Value> {
    let mut leaves: Vec<&Value> = conflict.get("leaves")?.as_list()?.iter().collect();
    // The order of all devices: generation, then the bytes of the suffix.
    leaves.sort_by_key(|leaf| std::cmp::Reverse(rank(leaf)));
    let live: Vec<&Value> = leaves.iter().filter_map(|leaf| leaf.get("body")).collect();
    let ancestor = conflict.get("ancestor").and_then(|ancestor| ancestor.get("body"));
    let is_unchanged = live.iter().all(|body| Some(*body) == ancestor);
    // Each side deleted the document, or one did and no other side changed it.
    if live.is_empty() || live.len() < leaves.len() && is_unchanged {
        return Some(object([("delete", true.into())]));
    }
    let empty = object([]);
    let base = ancestor.unwrap_or(&empty);
    // The order of the names does not depend on the order of the leaves.
    let bodies = live.iter().copied().chain([base]);
    let names: BTreeSet<&str> =
        bodies.filter_map(Value::as_object).flatten().map(|(name, _)| name.as_str()).collect();
    let merged = names.into_iter().filter_map(|name| {
        let changed = live.iter().find(|body| body.get(name) != base.get(name));
        Some((name, changed.copied().unwrap_or(base).get(name)?.clone()))
    });
    Some(object([("body", object(merged))]))
}

fn rank(leaf: &Value) -> Option<(u64, &str)> {
    let (generation, suffix) = leaf.get("rev")?.as_text()?.split_once('-')?;
    Some((generation.parse().ok()?, suffix))
}

fn about() -> Value {
    object([
        ("protocol", 1.into()),
        ("name", "merge".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("language", "Rust".into()),
        ("resolver", true.into()),
    ])
}

/// Returns the response to a request: `ok` with its result, or `error` with its members.
fn answer(request: &Value) -> Result<(&'static str, Value), &'static str> {
    if let Some(conflict) = request.get("resolveConflict") {
        return resolve(conflict).map(|answer| ("ok", answer)).ok_or("a malformed conflict");
    }
    if let Some(question) = request.get("hello") {
        let version = |name| question.get("protocol")?.get(name)?.as_integer();
        return match (version("first"), version("last")) {
            (Some(first), Some(last)) if (first..=last).contains(&1) => Ok(("ok", about())),
            _ => Ok(("error", object([("message", "this adapter speaks version 1".into())]))),
        };
    }
    if let Some(operation) = request.get("perform") {
        let op = operation.get("op").and_then(Value::as_text).unwrap_or("");
        return Ok(("error", object([("kind", "unsupported".into()), ("what", op.into())])));
    }
    match request.get("reset").or(request.get("bye")) {
        Some(_) => Ok(("ok", object([]))),
        None => Err("unknown request"),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut replies = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let request = json::parse(&line?)?;
        let id = request.get("id").ok_or("a request without an id")?;
        let (name, content) = answer(&request)?;
        let reply = object([("id", id.clone()), (name, content)]);
        replies.write_all(format!("{reply}\n").as_bytes())?;
        replies.flush()?;
        if request.get("bye").is_some() {
            break;
        }
    }
    Ok(())
}
