//! Valid names of stores and documents, revision ids, and bodies.

use std::collections::hash_map::RandomState;
use std::fmt::{self, Display, Formatter};
use std::hash::{BuildHasher, Hasher};

use super::refusal::Refusal;
use crate::json::Value;

/// The largest number of objects and lists that may contain each other in a body.
pub const LARGEST_DEPTH: u64 = 128;

const LARGEST_GENERATION: u64 = (1 << 53) - 1;

/// A revision id. It is ordered by its members: the generation as a number, then the suffix as
/// bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RevisionId {
    pub generation: u64,
    suffix: String,
}

impl RevisionId {
    /// Reads the only encoding of a revision id; `to_string` returns the same text.
    pub fn parse(text: &str) -> Option<RevisionId> {
        let (digits, suffix) = text.split_once('-')?;
        // `u64::from_str` also accepts a sign and leading zeros.
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        let generation = digits.parse().ok().filter(|_| plain && !suffix.is_empty())?;
        (generation <= LARGEST_GENERATION)
            .then(|| RevisionId { generation, suffix: suffix.to_owned() })
    }

    /// Returns the id of a new child of `parent`, or of a new root.
    pub fn of_child(parent: Option<&RevisionId>) -> Result<RevisionId, Refusal> {
        let generation = parent.map_or(0, |parent| parent.generation) + 1;
        if generation > LARGEST_GENERATION {
            return Err(Refusal::BadRevision);
        }
        let suffix = fresh_name();
        Ok(RevisionId { generation, suffix })
    }
}

impl Display for RevisionId {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}", self.generation, self.suffix)
    }
}

impl From<&RevisionId> for Value {
    fn from(rev: &RevisionId) -> Value {
        rev.to_string().into()
    }
}

/// Returns a name that is unique across processes.
pub fn fresh_name() -> String {
    // The keys of a hash map are the only randomness in the standard library.
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

pub fn is_store_name(name: &str) -> bool {
    let others = |byte: u8| byte.is_ascii_digit() || b"_$()+/-".contains(&byte);
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || others(byte))
}

/// True for a valid id of a document.
pub fn is_document_id(id: &str) -> bool {
    let design = id.strip_prefix("_design/").is_some_and(|name| !name.is_empty());
    is_local_id(id) && (design || !id.starts_with('_'))
}

/// True for a valid id of a local document. It may begin with `_`.
pub fn is_local_id(id: &str) -> bool {
    !id.is_empty() && !id.contains('\0')
}

pub fn check_body(value: &Value) -> Result<(), Refusal> {
    let members = value.as_object().ok_or(Refusal::BadBody)?;
    if members.iter().any(|(name, _)| name.starts_with('_')) {
        return Err(Refusal::BadBody);
    }
    if value.depth() as u64 > LARGEST_DEPTH {
        return Err(Refusal::TooLarge(LARGEST_DEPTH));
    }
    Ok(())
}
