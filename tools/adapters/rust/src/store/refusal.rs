//! The reasons why an operation is refused.

use crate::json::{object, Value};

/// The errors of this store. They have no `message`, because the runner does not compare it.
pub enum Refusal {
    BadName,
    NoSuchStore,
    BadId,
    BadRevision,
    BadBody,
    BadSequence,
    /// The path of the invalid argument.
    BadRequest(String),
    NotFound(Absence),
    Conflict,
    Forbidden,
    /// The operation or the choice that the store does not offer.
    Unsupported(String),
    /// The limit that was exceeded.
    TooLarge(u64),
    /// The index and the error of the refused write of a batch.
    Write(u64, Box<Refusal>),
}

/// The reason of `notFound`: no such document or revision, no live leaf, or no body.
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
    /// The member `error` of a response.
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
