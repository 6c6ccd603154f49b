//! JSON values without loss: integers of 64 bits, doubles, and members in order.

mod reader;

use std::fmt::{self, Display, Formatter, Write};

pub use reader::parse;

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    /// From -2^63 to 2^64 - 1: what fits an `i64` or a `u64`.
    Integer(i128),
    /// A number with a point or an exponent, or outside 64 bits. Always finite.
    Double(f64),
    Text(String),
    List(Vec<Value>),
    /// The members in order, each name once.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let member = self.as_object()?.iter().find(|member| member.0 == name);
        member.map(|(_, value)| value)
    }

    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(elements) => Some(elements),
            _ => None,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the number of objects and lists that contain each other: 1 for {}.
    pub fn depth(&self) -> usize {
        match self {
            Value::List(elements) => 1 + elements.iter().map(Value::depth).max().unwrap_or(0),
            Value::Object(members) => {
                let depths = members.iter().map(|(_, value)| value.depth());
                1 + depths.max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

/// Two values are equal as in JSON: 1 equals 1.0, and members have no order.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Double(a), Value::Double(b)) => a == b,
            // The conversion is exact, because the double has no fraction; one out of range saturates.
            (Value::Integer(a), Value::Double(b)) | (Value::Double(b), Value::Integer(a)) => {
                b.fract() == 0.0 && *b as i128 == *a
            }
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a.len() == b.len() && sorted(a) == sorted(b),
            _ => false,
        }
    }
}

/// The members in the order of their names.
fn sorted(members: &[(String, Value)]) -> Vec<&(String, Value)> {
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted
}

// Construction

/// Returns an object with these members.
pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let members = members.into_iter();
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Returns a list of these elements.
pub fn list<Element: Into<Value>>(elements: impl IntoIterator<Item = Element>) -> Value {
    Value::List(elements.into_iter().map(Into::into).collect())
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Bool(flag)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Integer(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

// Writing

impl Display for Value {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => out.write_str("null"),
            Value::Bool(flag) => write!(out, "{flag}"),
            Value::Integer(number) => write!(out, "{number}"),
            // The shortest digits that round-trip, always with a point or an exponent.
            Value::Double(number) => write!(out, "{number:?}"),
            Value::Text(text) => write_text(text, out),
            Value::List(elements) => {
                out.write_char('[')?;
                for (place, element) in elements.iter().enumerate() {
                    out.write_str(if place == 0 { "" } else { "," })?;
                    element.fmt(out)?;
                }
                out.write_char(']')
            }
            Value::Object(members) => {
                out.write_char('{')?;
                for (place, (name, value)) in members.iter().enumerate() {
                    out.write_str(if place == 0 { "" } else { "," })?;
                    write_text(name, out)?;
                    out.write_char(':')?;
                    value.fmt(out)?;
                }
                out.write_char('}')
            }
        }
    }
}

fn write_text(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\0'..='\u{1f}' => write!(out, "\\u{:04x}", u32::from(character))?,
            _ => out.write_char(character)?,
        }
    }
    out.write_char('"')
}
