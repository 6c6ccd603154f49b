//! Writing and reading documents, one at a time and in lists, and local documents.

use std::ops::Bound;
use std::rc::Rc;

use super::arguments;
use super::database::Database;
use super::names::{fresh_name, RevisionId};
use super::refusal::{Absence, Refusal};
use super::tree::Document;
use crate::json::{object, Value};

impl Database {
    /// Creates a document, or a live child of the winner of a deleted one.
    pub fn create(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let id = match operation.get("id") {
            Some(_) => arguments::id(operation)?.to_owned(),
            None => fresh_name(),
        };
        let body = arguments::body(operation)?;
        let mut draft = self.draft(&id);
        if draft.live_winner().is_some() {
            return Err(Refusal::Conflict);
        }
        let tombstone = draft.leaves().first().copied().cloned();
        let rev = self.edit(&id, &mut draft, tombstone.as_ref(), false, body)?;
        self.settle(&id, draft);
        Ok(object([("id", id.into()), ("rev", (&rev).into())]))
    }

    pub fn update(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let body = arguments::body(operation)?;
        self.edit_leaf(operation, false, body)
    }

    pub fn delete(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let body = arguments::optional_body(operation)?;
        self.edit_leaf(operation, true, body.unwrap_or_else(|| Rc::new(object([]))))
    }

    /// Adds a child of the leaf that the operation names.
    fn edit_leaf(
        &mut self,
        operation: &Value,
        deleted: bool,
        body: Rc<Value>,
    ) -> Result<Value, Refusal> {
        let (id, parent) = (arguments::id(operation)?, arguments::rev(operation, "rev")?);
        let mut draft = self.document(id)?.clone();
        if !draft.leaves().contains(&&parent) {
            return Err(Refusal::Conflict);
        }
        let rev = self.edit(id, &mut draft, Some(&parent), deleted, body)?;
        self.settle(id, draft);
        Ok(object([("id", id.into()), ("rev", (&rev).into())]))
    }

    /// Returns the live winner, or the given revision.
    pub fn read(&self, operation: &Value) -> Result<Value, Refusal> {
        let id = arguments::id(operation)?;
        let asked = operation.get("rev").map(|_| arguments::rev(operation, "rev")).transpose()?;
        let document = self.document(id)?;
        let deleted = Refusal::NotFound(Absence::Deleted);
        let rev = asked.as_ref().or(document.live_winner()).ok_or(deleted)?;
        let missing = Refusal::NotFound(Absence::Missing);
        let revision = document.revisions.get(rev).ok_or(missing)?;
        let body = revision.body.as_deref().ok_or(Refusal::NotFound(Absence::Body))?;
        Ok(object([
            ("id", id.into()),
            ("rev", rev.into()),
            ("deleted", revision.is_deleted().into()),
            ("body", body.clone()),
        ]))
    }

    /// Returns the documents with a live winner in byte order of their ids.
    pub fn list(&self, operation: &Value) -> Result<Value, Refusal> {
        let limit = arguments::limit(operation, 0)?.unwrap_or(usize::MAX);
        let descending = arguments::flag(operation, "descending")?;
        let bounds = match (arguments::optional_text(operation, "from")?, descending) {
            (None, _) => (Bound::Unbounded, Bound::Unbounded),
            (Some(from), false) => (Bound::Included(from), Bound::Unbounded),
            (Some(from), true) => (Bound::Unbounded, Bound::Included(from)),
        };
        let mut rows = Vec::new();
        for (id, document) in self.documents.range::<str, _>(bounds) {
            if let Some(rev) = document.live_winner() {
                rows.push(object([("id", id.as_str().into()), ("rev", rev.into())]));
            }
        }
        if descending {
            rows.reverse();
        }
        rows.truncate(limit);
        Ok(object([("rows", Value::List(rows))]))
    }

    pub fn leaves(&self, operation: &Value) -> Result<Value, Refusal> {
        let document = self.document(arguments::id(operation)?)?;
        Ok(object([("leaves", leaf_rows(document))]))
    }

    /// Returns one row for each document that changed after `since`, in the order of the changes.
    pub fn changes(&self, operation: &Value) -> Result<Value, Refusal> {
        let limit = arguments::limit(operation, 0)?.unwrap_or(usize::MAX);
        let since = operation.get("since").map_or(Ok(0), |since| self.position(since))?;
        let documents = self.documents.iter();
        let mut changed: Vec<_> =
            documents.filter(|(_, document)| document.sequence > since).collect();
        changed.sort_by_key(|(_, document)| document.sequence);
        let shown = &changed[..limit.min(changed.len())];
        let more = shown.len() < changed.len();
        let last = match shown.last() {
            _ if !more => self.last,
            Some((_, document)) => document.sequence,
            None => since,
        };
        let rows = shown.iter().map(|(id, document)| self.change_row(id, document));
        Ok(object([
            ("rows", Value::List(rows.collect())),
            ("last", self.sequence(last)),
            ("more", more.into()),
        ]))
    }

    fn change_row(&self, id: &str, document: &Document) -> Value {
        object([
            ("seq", self.sequence(document.sequence)),
            ("id", id.into()),
            ("deleted", document.live_winner().is_none().into()),
            ("leaves", leaf_rows(document)),
        ])
    }

    pub fn read_local(&self, operation: &Value) -> Result<Value, Refusal> {
        let document = self.local_documents.get(arguments::local_id(operation)?);
        let body = document.ok_or(Refusal::NotFound(Absence::Missing))?;
        Ok(object([("body", Value::clone(body))]))
    }

    /// Replaces a local document. The body `null` deletes it.
    pub fn write_local(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let id = arguments::local_id(operation)?;
        if let Some(Value::Null) = operation.get("body") {
            self.local_documents.remove(id);
        } else {
            let body = arguments::body(operation)?;
            self.local_documents.insert(id.to_owned(), body);
        }
        Ok(object([]))
    }
}

/// The leaves as `leaves` and `changes` show them.
fn leaf_rows(document: &Document) -> Value {
    let row = |rev: &RevisionId| {
        object([("rev", rev.into()), ("deleted", document.is_deleted(rev).into())])
    };
    Value::List(document.leaves().into_iter().map(row).collect())
}
