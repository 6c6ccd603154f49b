//! The operations of replicators: revsDiff, getRevisions and insertRevisions.

use std::collections::BTreeMap;

use super::arguments;
use super::database::Database;
use super::names::RevisionId;
use super::refusal::{Absence, Refusal};
use super::tree::Document;
use crate::json::{list, object, Value};

impl Database {
    pub fn revs_diff(&self, operation: &Value) -> Result<Value, Refusal> {
        let mut results = Vec::new();
        for question in arguments::list(operation, "revs")? {
            let id = arguments::id(question)?;
            results.extend(self.difference(id, arguments::revs(question, "revs")?));
        }
        Ok(object([("results", Value::List(results))]))
    }

    /// The missing revisions of one document with possible ancestors; `None` if no revision is missing.
    fn difference(&self, id: &str, mut revs: Vec<RevisionId>) -> Option<Value> {
        let document = self.draft(id);
        revs.retain(|rev| !document.revisions.contains_key(rev));
        revs.sort();
        revs.dedup();
        let highest = revs.last()?.generation;
        let mut ancestors = document.leaves();
        ancestors.retain(|leaf| leaf.generation < highest);
        Some(object([
            ("id", id.into()),
            ("missing", list(&revs)),
            ("possibleAncestors", list(ancestors)),
        ]))
    }

    /// Returns one result for each requested revision.
    pub fn get_revisions(&self, operation: &Value) -> Result<Value, Refusal> {
        let mut results = Vec::new();
        for question in arguments::list(operation, "docs")? {
            let (id, latest) = (arguments::id(question)?, arguments::flag(question, "latest")?);
            for rev in arguments::revs(question, "revs")? {
                let found = match self.records(id, &rev, latest) {
                    Ok(records) => ("records", Value::List(records)),
                    Err(absence) => ("missing", absence.name().into()),
                };
                results.push(object([("id", id.into()), ("rev", (&rev).into()), found]));
            }
        }
        Ok(object([("results", Value::List(results))]))
    }

    /// The record of a revision, or with `latest` those of the leaves that descend from it.
    fn records(&self, id: &str, rev: &RevisionId, latest: bool) -> Result<Vec<Value>, Absence> {
        let document = self.draft(id);
        if !document.revisions.contains_key(rev) {
            return Err(Absence::Missing);
        }
        let mut wanted = vec![rev];
        if latest {
            wanted = document.leaves();
            wanted.retain(|leaf| document.path(leaf).any(|ancestor| ancestor == rev));
        }
        let records = wanted.into_iter().map(|rev| self.record(id, &document, rev));
        records.collect::<Option<_>>().ok_or(Absence::Body)
    }

    /// A revision with as much of its history as the history limit allows; `None` without its body.
    fn record(&self, id: &str, document: &Document, rev: &RevisionId) -> Option<Value> {
        let revision = document.revisions.get(rev)?;
        let body = revision.body.as_deref()?;
        let path = document.path(rev).take(self.history_limit.unwrap_or(usize::MAX));
        let mut members = vec![("id", id.into()), ("path", list(path))];
        if revision.is_deleted() {
            members.push(("deleted", true.into()));
        }
        members.push(("body", body.clone()));
        Some(object(members))
    }

    /// Merges records independently. The history limit applies when all of them are merged.
    pub fn insert_revisions(&mut self, operation: &Value) -> Result<Value, Refusal> {
        let mut drafts = BTreeMap::new();
        let mut results = Vec::new();
        for record in arguments::list(operation, "records")? {
            results.push(match self.insert(record, &mut drafts) {
                Ok(()) => object([("ok", object([]))]),
                Err(refusal) => object([("error", refusal.to_json())]),
            });
        }
        for (id, draft) in drafts {
            self.settle(&id, draft);
        }
        Ok(object([("results", Value::List(results))]))
    }

    fn insert(
        &self,
        record: &Value,
        drafts: &mut BTreeMap<String, Document>,
    ) -> Result<(), Refusal> {
        let (id, path) = (arguments::id(record)?, arguments::path(record)?);
        let (deleted, body) = (arguments::flag(record, "deleted")?, arguments::body(record)?);
        let draft = drafts.entry(id.to_owned()).or_insert_with(|| self.draft(id));
        if !draft.has_body(&path[0]) {
            self.check_allowed(id, deleted, &body)?;
        }
        draft.merge(&path, deleted, body);
        Ok(())
    }
}
