//! One named store from its creation to its destruction.

use std::collections::BTreeMap;
use std::iter::once;
use std::rc::Rc;

use super::capabilities::Filter;
use super::names::{fresh_name, RevisionId};
use super::refusal::{Absence, Refusal};
use super::tree::Document;
use crate::json::{object, Value};

#[derive(Clone)]
pub struct Database {
    incarnation: String,
    /// In byte order of their ids, which is the order of a `String`.
    pub documents: BTreeMap<String, Document>,
    pub local_documents: BTreeMap<String, Rc<Value>>,
    pub last: u64,
    pub history_limit: Option<usize>,
    pub refused: Option<Filter>,
}

/// An empty database with a new incarnation.
impl Default for Database {
    fn default() -> Database {
        Database {
            incarnation: fresh_name(),
            documents: BTreeMap::new(),
            local_documents: BTreeMap::new(),
            last: 0,
            history_limit: None,
            refused: None,
        }
    }
}

impl Database {
    /// Performs one operation. An operation that fails changes nothing.
    pub fn perform(&mut self, op: &str, operation: &Value) -> Result<Value, Refusal> {
        match op {
            "info" => Ok(self.info()),
            "create" => self.create(operation),
            "update" => self.update(operation),
            "delete" => self.delete(operation),
            "read" => self.read(operation),
            "list" => self.list(operation),
            "leaves" => self.leaves(operation),
            "changes" => self.changes(operation),
            "readLocal" => self.read_local(operation),
            "writeLocal" => self.write_local(operation),
            "revsDiff" => self.revs_diff(operation),
            "getRevisions" => self.get_revisions(operation),
            "insertRevisions" => self.insert_revisions(operation),
            "resolve" => self.resolve(operation),
            "compact" => Ok(self.compact()),
            "purge" => self.purge(operation),
            "historyLimit" => self.set_history_limit(operation),
            "batch" => self.batch(operation),
            "setValidation" => self.set_validation(operation),
            "flush" => Ok(self.flush()),
            _ => Err(Refusal::Unsupported(op.to_owned())),
        }
    }

    fn info(&self) -> Value {
        let live = self.documents.values().filter(|document| document.live_winner().is_some());
        let live = live.count() as u64;
        object([
            ("documents", live.into()),
            ("deletedDocuments", (self.documents.len() as u64 - live).into()),
            ("last", self.sequence(self.last)),
            ("incarnation", self.incarnation.as_str().into()),
        ])
    }

    // Sequences

    /// The text of a sequence. It names the incarnation to which the sequence belongs.
    pub fn sequence(&self, number: u64) -> Value {
        format!("{}-{number}", self.incarnation).into()
    }

    /// The number of a sequence of this incarnation.
    pub fn position(&self, sequence: &Value) -> Result<u64, Refusal> {
        let number = sequence.as_text().and_then(|text| text.rsplit_once('-')?.1.parse().ok());
        let known = |number: &u64| *number <= self.last && self.sequence(*number) == *sequence;
        number.filter(known).ok_or(Refusal::BadSequence)
    }

    // Documents and their changes

    /// The document with an id.
    pub fn document(&self, id: &str) -> Result<&Document, Refusal> {
        self.documents.get(id).ok_or(Refusal::NotFound(Absence::Missing))
    }

    /// A copy of a document, or an empty one, to be changed and then given to `settle`.
    pub fn draft(&self, id: &str) -> Document {
        self.documents.get(id).cloned().unwrap_or_default()
    }

    /// Adds a child of `parent`, or a root, to a draft.
    pub fn edit(
        &self,
        id: &str,
        draft: &mut Document,
        parent: Option<&RevisionId>,
        deleted: bool,
        body: Rc<Value>,
    ) -> Result<RevisionId, Refusal> {
        let rev = RevisionId::of_child(parent)?;
        self.check_allowed(id, deleted, &body)?;
        let path: Vec<_> = once(&rev).chain(parent).cloned().collect();
        draft.merge(&path, deleted, body);
        Ok(rev)
    }

    /// Replaces a document by its draft. Applies the history limit, and gives the document the next
    /// sequence if anything differs.
    pub fn settle(&mut self, id: &str, mut draft: Document) {
        let before = self.draft(id);
        if let Some(limit) = self.history_limit.filter(|_| draft != before) {
            draft.keep_newest(limit);
        }
        if draft == before {
            return;
        }
        self.last += 1;
        draft.sequence = self.last;
        if draft.revisions.is_empty() {
            self.documents.remove(id);
        } else {
            self.documents.insert(id.to_owned(), draft);
        }
    }
}
