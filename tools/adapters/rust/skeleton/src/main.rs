//! The skeleton of an adapter. Connect your store at the three places marked TO DO; `touchstone doctor`
//! names the next step. In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md`
//! the operations.

#[allow(dead_code)] // The protocol uses only a part of it; your store may use more.
mod json;

use std::error::Error;
use std::io::{self, BufRead, Write};

use json::{object, Value};

/// TO DO 1: your store. It is created at the start and at each reset, and is then empty.
#[derive(Default)]
struct Store {} // { databases: BTreeMap<String, Database> }

impl Store {
    /// TO DO 2: perform one operation. Return `ok` with its result, or `error` with its kind.
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

/// TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are skipped;
/// declare them with the lists `capabilities` and `profiles`.
fn about() -> Value {
    object([
        ("protocol", 1.into()),
        ("name", "my-store".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("language", "Rust".into()),
    ])
}

/// Returns the response to a request: `ok` with its result, or `error` with its members.
fn answer(request: &Value, store: &mut Store) -> Result<(&'static str, Value), &'static str> {
    if let Some(question) = request.get("hello") {
        // Keep files in the `folder` of this request.
        let version = |name| question.get("protocol")?.get(name)?.as_integer();
        return match (version("first"), version("last")) {
            (Some(first), Some(last)) if (first..=last).contains(&1) => Ok(("ok", about())),
            _ => Ok(("error", object([("message", "this adapter speaks version 1".into())]))),
        };
    }
    if let Some(operation) = request.get("perform") {
        return store.perform(operation);
    }
    if request.get("reset").is_some() {
        *store = Store::default();
    } else if request.get("bye").is_none() {
        return Err("unknown request");
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
