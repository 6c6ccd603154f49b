//! The operations of capabilities, which are optional.

use super::arguments;
use super::database::Database;
use super::names::RevisionId;
use super::refusal::Refusal;
use crate::json::{list, object, Value};

/// A description of revisions, for `setValidation`.
#[derive(Clone)]
pub enum Filter {
    DocumentIds(Vec<Value>),
    BodyFieldEquals { field: String, value: Value },
    Live,
}

impl Filter {
    fn parse(value: &Value) -> Option<Filter> {
        if let Some(ids) = value.get("documentIDs") {
            return Some(Filter::DocumentIds(ids.as_list()?.to_vec()));
        }
        if let Some(member) = value.get("bodyFieldEquals") {
            let field = member.get("field")?.as_text()?.to_owned();
            let value = member.get("value")?.clone();
            return Some(Filter::BodyFieldEquals { field, value });
        }
        value.get("live").map(|_| Filter::Live)
    }

    fn describes(&self, id: &str, deleted: bool, body: &Value) -> bool {
        match self {
            Filter::DocumentIds(ids) => ids.iter().any(|one| one.as_text() == Some(id)),
            Filter::BodyFieldEquals { field, value } => body.get(field) == Some(value),
            Filter::Live => !deleted,
        }
    }
}

impl Database {
    /// Ends a conflict: keeps one live leaf, or adds a child to it, and deletes the others.
    pub fn resolve(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let id = arguments::id(operation)?;
        let keep = arguments::rev(operation, "keep")?;
        let mut leaves = arguments::revs(operation, "leaves")?;
        let body = arguments::optional_body(operation)?;
        leaves.sort();
        leaves.dedup();
        if !leaves.contains(&keep) {
            return Err(arguments::senseless("keep"));
        }
        let mut draft = self.draft(id);
        let mut live = draft.live_leaves();
        live.sort();
        if !live.into_iter().eq(&leaves) {
            return Err(Refusal::Conflict);
        }
        leaves.retain(|leaf| *leaf != keep);
        let rev = match body {
            Some(body) => self.edit(id, &mut draft, Some(&keep), false, body)?,
            None => keep,
        };
        let mut tombstones: Vec<RevisionId> = Vec::new();
        for loser in &leaves {
            tombstones.push(self.edit(id, &mut draft, Some(loser), true, object([]).into())?);
        }
        self.settle(id, draft);
        Ok(object([("rev", (&rev).into()), ("tombstones", list(&tombstones))]))
    }

    /// Drops the bodies of all revisions that are not leaves. No document counts as changed.
    pub fn compact(&mut self) -> Value {
        for document in self.documents.values_mut() {
            document.compact();
        }
        object([])
    }

    /// Removes leaves without leaving tombstones.
    pub fn purge(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let id = arguments::id(operation)?;
        let mut purged = arguments::revs(operation, "revs")?;
        let mut draft = self.draft(id);
        let leaves = draft.leaves();
        purged.retain(|rev| leaves.contains(&rev));
        purged.sort();
        purged.dedup();
        draft.remove_leaves(&purged);
        self.settle(id, draft);
        Ok(object([("purged", list(&purged))]))
    }

    /// Sets how many revisions of each leaf a document keeps from its next change on.
    pub fn set_history_limit(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let limit = arguments::limit(operation, 1)?;
        self.history_limit = Some(limit.ok_or_else(|| arguments::senseless("limit"))?);
        Ok(object([]))
    }

    /// Performs writes in order on a copy of the database, and keeps the copy if all succeed.
    pub fn batch(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let mut attempt = self.clone();
        let mut results = Vec::new();
        for (place, write) in arguments::list(operation, "writes")?.iter().enumerate() {
            let result = match write.get("op").and_then(Value::as_text) {
                Some(op @ ("create" | "update" | "delete" | "resolve" | "writeLocal")) => {
                    attempt.perform(op, write)
                }
                _ => Err(arguments::senseless(&format!("writes[{place}].op"))),
            };
            results.push(result.map_err(|refusal| Refusal::Write(place as u64, refusal.into()))?);
        }
        *self = attempt;
        Ok(object([("results", Value::List(results))]))
    }

    /// Sets which writes are refused. The filter `null` refuses none.
    pub fn set_validation(&mut self, operation: &Value) -> Result<Value, Refusal> {
        self.refused = match operation.get("refuse") {
            Some(Value::Null) => None,
            rule => {
                Some(rule.and_then(Filter::parse).ok_or_else(|| arguments::senseless("refuse"))?)
            }
        };
        Ok(object([]))
    }

    /// Refuses a revision that the validation describes.
    pub fn check_allowed(&self, id: &str, deleted: bool, body: &Value) -> Result<(), Refusal> {
        match &self.refused {
            Some(rule) if rule.describes(id, deleted, body) => Err(Refusal::Forbidden),
            _ => Ok(()),
        }
    }

    /// Does nothing: everything is in memory.
    pub fn flush(&self) -> Value {
        object([])
    }
}
