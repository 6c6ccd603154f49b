//! The arguments of operations. Each one is checked when it is read.

use std::rc::Rc;

use super::names::{check_body, is_document_id, is_local_id, RevisionId};
use super::refusal::Refusal;
use crate::json::Value;

/// The id of a document.
pub fn id(operation: &Value) -> Result<&str, Refusal> {
    let id = operation.get("id").and_then(Value::as_text);
    id.filter(|id| is_document_id(id)).ok_or(Refusal::BadId)
}

/// The id of a local document.
pub fn local_id(operation: &Value) -> Result<&str, Refusal> {
    let id = operation.get("id").and_then(Value::as_text);
    id.filter(|id| is_local_id(id)).ok_or(Refusal::BadId)
}

/// The revision id of a member.
pub fn rev(operation: &Value, name: &str) -> Result<RevisionId, Refusal> {
    operation.get(name).and_then(revision_id).ok_or(Refusal::BadRevision)
}

/// The revision ids of a member.
pub fn revs(operation: &Value, name: &str) -> Result<Vec<RevisionId>, Refusal> {
    let revs = list(operation, name)?.iter();
    revs.map(|rev| revision_id(rev).ok_or(Refusal::BadRevision)).collect()
}

fn revision_id(value: &Value) -> Option<RevisionId> {
    RevisionId::parse(value.as_text()?)
}

/// The path of a record: 1 revision or more, and each generation 1 less than the one before.
pub fn path(record: &Value) -> Result<Vec<RevisionId>, Refusal> {
    let path = revs(record, "path")?;
    let falls = |pair: &[RevisionId]| pair[0].generation == pair[1].generation + 1;
    if path.is_empty() || !path.windows(2).all(falls) {
        return Err(Refusal::BadRevision);
    }
    Ok(path)
}

pub fn body(operation: &Value) -> Result<Rc<Value>, Refusal> {
    optional_body(operation)?.ok_or(Refusal::BadBody)
}

pub fn optional_body(operation: &Value) -> Result<Option<Rc<Value>>, Refusal> {
    let body = operation.get("body");
    body.map(check_body).transpose()?;
    Ok(body.cloned().map(Rc::new))
}

/// The `limit` of an operation, at least `smallest`.
pub fn limit(operation: &Value, smallest: usize) -> Result<Option<usize>, Refusal> {
    let Some(limit) = operation.get("limit") else {
        return Ok(None);
    };
    // A limit beyond `usize` is more than the number of rows.
    let limit = limit.as_integer().filter(|limit| *limit >= smallest as i128);
    let limit = limit.ok_or_else(|| senseless("limit"))?;
    Ok(Some(usize::try_from(limit).unwrap_or(usize::MAX)))
}

/// A flag, which is false if it is absent.
pub fn flag(operation: &Value, name: &str) -> Result<bool, Refusal> {
    let flag = operation.get(name).map_or(Some(false), Value::as_bool);
    flag.ok_or_else(|| senseless(name))
}

/// An optional text.
pub fn optional_text<'a>(operation: &'a Value, name: &str) -> Result<Option<&'a str>, Refusal> {
    let Some(value) = operation.get(name) else {
        return Ok(None);
    };
    value.as_text().map(Some).ok_or_else(|| senseless(name))
}

pub fn list<'a>(operation: &'a Value, name: &str) -> Result<&'a [Value], Refusal> {
    let list = operation.get(name).and_then(Value::as_list);
    list.ok_or_else(|| senseless(name))
}

/// An argument that is missing or invalid.
pub fn senseless(name: &str) -> Refusal {
    Refusal::BadRequest(name.to_owned())
}
