//! An adapter, to be finished in three places marked TO DO. `touchstone doctor` says what comes first.
//! In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md` the operations.

#[allow(dead_code)] // Your store will need more of it than the protocol does.
mod json;

use std::error::Error;
use std::io::{self, BufRead, Write};

use json::{object, Value};

/// TO DO 1: your store. It is made at the start and at each reset, and then there is nothing in it.
#[derive(Default)]
struct Store {} // { databases: BTreeMap<String, Database> }

impl Store {
    /// TO DO 2: does an operation, and answers `ok` with its result or `error` with its kind.
    fn perform(&mut self, operation: &Value) -> Result<(&'static str, Value), &'static str> {
        let text = |name| operation.get(name).and_then(Value::as_text);
        match text("op").ok_or("an operation without op")? {
            // "open" => Ok(("ok", object([]))),  // after self.databases.entry(name).or_default()
            // "create" => match self.databases.get_mut(name) {
            //     Some(database) => Ok(("ok", database.create(text("id"), operation.get("body")))),
            //     None => Ok(("error", object([("kind", "noSuchStore".into())]))),
            // },
            op => Ok(("error", object([("kind", "unsupported".into()), ("what", op.into())]))),
        }
    }
}

/// TO DO 3: who your store is. `capabilities` and `profiles` are lists; without them none is asked for.
fn about() -> Value {
    object([
        ("protocol", 1.into()),
        ("name", "my-store".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("language", "Rust".into()),
    ])
}

/// What a request is answered with: `ok` or `error`, and what stands behind it.
fn answer(request: &Value, store: &mut Store) -> Result<(&'static str, Value), &'static str> {
    if let Some(question) = request.get("hello") {
        // Files belong into the `folder` of the question.
        let version = |name| question.get("protocol")?.get(name)?.as_integer();
        return match (version("first"), version("last")) {
            (Some(first), Some(last)) if (first..=last).contains(&1) => Ok(("ok", about())),
            _ => Ok(("error", object([("message", "only version 1 is spoken".into())]))),
        };
    }
    if let Some(operation) = request.get("perform") {
        return store.perform(operation);
    }
    if request.get("reset").is_some() {
        *store = Store::default();
    } else if request.get("bye").is_none() {
        return Err("a line that is no request");
    }
    Ok(("ok", object([])))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut replies = io::stdout().lock();
    let mut store = Store::default();
    for line in io::stdin().lock().split(b'\n') {
        let request = json::parse(&line?)?;
        let id = request.get("id").ok_or("a request without an id")?;
        let (name, content) = answer(&request, &mut store)?;
        let reply = object([("id", id.clone()), (name, content)]);
        replies.write_all(format!("{reply}\n").as_bytes())?;
        replies.flush()?;
        if name == "error" && request.get("hello").is_some() || request.get("bye").is_some() {
            break;
        }
    }
    Ok(())
}
