//! The revision tree of one document.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::successors;
use std::rc::Rc;

use super::names::RevisionId;
use crate::json::Value;

/// One revision. Without `deleted` it is known only from the path of another one. With `deleted`
/// and without a body it was compacted.
#[derive(Clone, Default, PartialEq)]
pub struct Revision {
    parent: Option<RevisionId>,
    deleted: Option<bool>,
    pub body: Option<Rc<Value>>,
}

impl Revision {
    pub fn is_deleted(&self) -> bool {
        self.deleted == Some(true)
    }
}

/// The revisions of one document, and the sequence of its latest change.
#[derive(Clone, Default, PartialEq)]
pub struct Document {
    pub revisions: BTreeMap<RevisionId, Revision>,
    pub sequence: u64,
}

impl Document {
    /// The revisions without children, the winner first: live before deleted, then the highest id.
    pub fn leaves(&self) -> Vec<&RevisionId> {
        let parents: BTreeSet<_> =
            self.revisions.values().flat_map(|revision| &revision.parent).collect();
        let mut leaves: Vec<_> =
            self.revisions.keys().filter(|rev| !parents.contains(rev)).collect();
        leaves.sort_by_key(|rev| (self.is_deleted(rev), Reverse(*rev)));
        leaves
    }

    pub fn live_leaves(&self) -> Vec<&RevisionId> {
        let leaves = self.leaves().into_iter();
        leaves.filter(|rev| !self.is_deleted(rev)).collect()
    }

    /// The revision that a read without a revision returns; `None` if all leaves are deleted.
    pub fn live_winner(&self) -> Option<&RevisionId> {
        self.live_leaves().first().copied()
    }

    pub fn is_deleted(&self, rev: &RevisionId) -> bool {
        self.revisions.get(rev).is_some_and(Revision::is_deleted)
    }

    /// True if a revision is stored with its body.
    pub fn has_body(&self, rev: &RevisionId) -> bool {
        self.revisions.get(rev).is_some_and(|revision| revision.body.is_some())
    }

    /// A revision and its ancestors, newest first.
    pub fn path<'a>(&'a self, rev: &'a RevisionId) -> impl Iterator<Item = &'a RevisionId> {
        successors(Some(rev), |rev| self.revisions.get(rev)?.parent.as_ref())
    }

    /// Adds the new parts of a record, and never replaces known ones.
    pub fn merge(&mut self, path: &[RevisionId], deleted: bool, body: Rc<Value>) {
        let tip = self.revisions.entry(path[0].clone()).or_default();
        tip.deleted.get_or_insert(deleted);
        tip.body.get_or_insert(body);
        for pair in path.windows(2) {
            // The child is absent if the path names another parent for a revision whose parent is known.
            let Some(child) = self.revisions.get_mut(&pair[0]) else {
                continue;
            };
            if child.parent.is_none() {
                child.parent = Some(pair[1].clone());
                self.revisions.entry(pair[1].clone()).or_default();
            }
        }
    }

    /// Removes all revisions that are not among the newest `limit` of any leaf.
    pub fn keep_newest(&mut self, limit: usize) {
        let leaves = self.leaves().into_iter();
        let kept = leaves.flat_map(|leaf| self.path(leaf).take(limit));
        self.keep(kept.cloned().collect());
    }

    /// Removes some leaves, and the ancestors that no other leaf has.
    pub fn remove_leaves(&mut self, removed: &[RevisionId]) {
        let leaves = self.leaves().into_iter().filter(|leaf| !removed.contains(leaf));
        let kept = leaves.flat_map(|leaf| self.path(leaf));
        self.keep(kept.cloned().collect());
    }

    fn keep(&mut self, kept: BTreeSet<RevisionId>) {
        self.revisions.retain(|rev, _| kept.contains(rev));
        for revision in self.revisions.values_mut() {
            let parent = revision.parent.take();
            revision.parent = parent.filter(|parent| kept.contains(parent));
        }
    }

    /// Drops the bodies of all revisions that are not leaves.
    pub fn compact(&mut self) {
        let leaves: BTreeSet<_> = self.leaves().into_iter().cloned().collect();
        for (rev, revision) in &mut self.revisions {
            if !leaves.contains(rev) {
                revision.body = None;
            }
        }
    }
}
