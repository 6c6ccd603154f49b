//! A small document store in memory, written from `Vectors/README.md` to be read. Where a faster or
//! shorter form would be harder to follow, it uses the plain one.

mod arguments;
mod capabilities;
mod database;
mod documents;
mod names;
mod refusal;
mod replication;
mod tree;

use std::collections::BTreeMap;

use crate::json::{object, Value};
use database::Database;
use names::is_store_name;
use refusal::Refusal;

/// All databases, by name.
#[derive(Default)]
pub struct LittleStore {
    databases: BTreeMap<String, Place>,
}

/// A database, open or closed.
#[derive(Default)]
struct Place {
    open: bool,
    database: Database,
}

impl LittleStore {
    pub const CAPABILITIES: [&'static str; 8] = [
        "resolve",
        "compact",
        "purge",
        "historyLimit",
        "atomicBatch",
        "validation",
        "flush",
        "tombstoneBodies",
    ];
    pub const PROFILES: [&'static str; 3] =
        ["dense-changes", "incarnation-sequences", "exact-numbers"];
    pub const LARGEST_DEPTH: u64 = names::LARGEST_DEPTH;

    /// Performs one operation. Returns its result, or the reason why it was refused.
    pub fn perform(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let text = |name| operation.get(name).and_then(Value::as_text).unwrap_or_default();
        let (op, name) = (text("op"), text("store"));
        match op {
            "open" => self.open(name, operation),
            "close" => Ok(self.close(name)),
            "destroy" => Ok(self.destroy(name)),
            _ => match self.databases.get_mut(name) {
                Some(place) if place.open => place.database.perform(op, operation),
                _ => Err(Refusal::NoSuchStore),
            },
        }
    }

    /// Creates a database or reopens it. There is one kind of revision ids and one collation.
    fn open(&mut self, name: &str, operation: &Value) -> Result<Value, Refusal> {
        if !is_store_name(name) {
            return Err(Refusal::BadName);
        }
        for (choice, known) in [("revisionIDs", "own"), ("collation", "bytes")] {
            let chosen = arguments::optional_text(operation, choice)?.unwrap_or(known);
            if chosen != known {
                return Err(Refusal::Unsupported(chosen.to_owned()));
            }
        }
        let place = self.databases.entry(name.to_owned()).or_default();
        place.open = true;
        Ok(object([]))
    }

    fn close(&mut self, name: &str) -> Value {
        if let Some(place) = self.databases.get_mut(name) {
            place.open = false;
        }
        object([])
    }

    fn destroy(&mut self, name: &str) -> Value {
        self.databases.remove(name);
        object([])
    }
}
