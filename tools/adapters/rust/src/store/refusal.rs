//! Why an operation was refused.

use crate::json::{object, Value};

/// The errors that this store has. `message`, which nobody compares, it leaves out.
pub enum Refusal {
    BadName,
    NoSuchStore,
    BadId,
    BadRevision,
    BadBody,
    BadSequence,
    /// The path of the argument that makes no sense.
    BadRequest(String),
    NotFound(Absence),
    Conflict,
    Forbidden,
    /// The operation or the choice that this store does not know.
    Unsupported(String),
    /// The limit that was exceeded.
    TooLarge(u64),
    /// One write of a batch was refused: its place, and why.
    Write(u64, Box<Refusal>),
}

/// What is not there: the document or revision, a live leaf, or the body.
#[derive(Clone, Copy)]
pub enum Absence {
    Missing,
    Deleted,
    Body,
}

impl Absence {
    pub fn name(self) -> &'static str {
        match self {
            Absence::Missing => "missing",
            Absence::Deleted => "deleted",
            Absence::Body => "bodyMissing",
        }
    }
}

impl Refusal {
    /// What stands behind `error` in an outcome.
    pub fn to_json(&self) -> Value {
        object(self.members())
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let kind = |kind: &str| ("kind", kind.into());
        match self {
            Refusal::BadName => vec![kind("badName")],
            Refusal::NoSuchStore => vec![kind("noSuchStore")],
            Refusal::BadId => vec![kind("badID")],
            Refusal::BadRevision => vec![kind("badRevision")],
            Refusal::BadBody => vec![kind("badBody")],
            Refusal::BadSequence => vec![kind("badSequence")],
            Refusal::Conflict => vec![kind("conflict")],
            Refusal::Forbidden => vec![kind("forbidden")],
            Refusal::BadRequest(path) => vec![kind("badRequest"), ("path", path.as_str().into())],
            Refusal::NotFound(absence) => vec![kind("notFound"), ("reason", absence.name().into())],
            Refusal::Unsupported(what) => vec![kind("unsupported"), ("what", what.as_str().into())],
            Refusal::TooLarge(limit) => vec![kind("tooLarge"), ("limit", (*limit).into())],
            Refusal::Write(place, refusal) => {
                let mut members = refusal.members();
                members.push(("write", (*place).into()));
                members
            }
        }
    }
}
