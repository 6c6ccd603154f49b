//! Reads JSON texts of RFC 8259, and rejects everything else.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str;

use super::{sorted, Value};

/// The depth up to which texts are read. Functions that walk through a value are recursive.
const DEEPEST: usize = 512;

/// The reason why a line is invalid JSON, with the position in bytes.
#[derive(Debug)]
pub struct Malformed {
    what: &'static str,
    at: usize,
}

impl Display for Malformed {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "no JSON: {} at byte {}", self.what, self.at)
    }
}

impl Error for Malformed {}

/// Reads a text with exactly one value.
pub fn parse(line: &[u8]) -> Result<Value, Malformed> {
    let text = str::from_utf8(line)
        .map_err(|error| Malformed { what: "no UTF-8", at: error.valid_up_to() })?;
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0)?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => parser.fail("more text after the value"),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn fail<T>(&self, what: &'static str) -> Result<T, Malformed> {
        Err(Malformed { what, at: self.at })
    }

    /// The next byte.
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// Skips white space, and the given byte if it follows. Returns whether it did.
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value, Malformed> {
        if depth > DEEPEST {
            return self.fail("too many levels");
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map(Value::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.literal(),
        }
    }

    fn literal(&mut self) -> Result<Value, Malformed> {
        let literals =
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
        for (name, value) in literals {
            if self.text[self.at..].starts_with(name) {
                self.at += name.len();
                return Ok(value);
            }
        }
        self.fail("expected a value")
    }

    fn object(&mut self, depth: usize) -> Result<Value, Malformed> {
        let mut members = Vec::new();
        self.at += 1;
        while !self.skip(b'}') {
            if !members.is_empty() && !self.skip(b',') {
                return self.fail("expected a comma");
            }
            if self.peek() != Some(b'"') {
                return self.fail("expected a name");
            }
            let name = self.string()?;
            if !self.skip(b':') {
                return self.fail("expected a colon");
            }
            members.push((name, self.value(depth + 1)?));
        }
        if sorted(&members).windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return self.fail("a name occurs twice in the object");
        }
        Ok(Value::Object(members))
    }

    fn list(&mut self, depth: usize) -> Result<Value, Malformed> {
        let mut elements = Vec::new();
        self.at += 1;
        while !self.skip(b']') {
            if !elements.is_empty() && !self.skip(b',') {
                return self.fail("expected a comma");
            }
            elements.push(self.value(depth + 1)?);
        }
        Ok(Value::List(elements))
    }

    fn number(&mut self) -> Result<Value, Malformed> {
        let start = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        let zero = self.byte() == Some(b'0');
        if self.digits()? > 1 && zero {
            return self.fail("a number with a leading zero");
        }
        let whole = self.at;
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        let digits = &self.text[start..self.at];
        match (digits.parse::<i128>(), digits.parse::<f64>()) {
            (Ok(number), _) if self.at == whole && is_exact(number) => Ok(Value::Integer(number)),
            (_, Ok(number)) if number.is_finite() => Ok(Value::Double(number)),
            _ => self.fail("a number beyond the largest double"),
        }
    }

    /// Skips one digit or more, and returns how many.
    fn digits(&mut self) -> Result<usize, Malformed> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        match self.at - start {
            0 => self.fail("expected a digit"),
            count => Ok(count),
        }
    }

    fn string(&mut self) -> Result<String, Malformed> {
        let mut string = String::new();
        self.at += 1;
        loop {
            let start = self.at;
            while !matches!(self.byte(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            string.push_str(&self.text[start..self.at]);
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                _ => return self.fail("a string without an end, or a control character in it"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Malformed> {
        self.at += 1;
        let character = match self.byte() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte.into(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.escaped_unit(),
            _ => return self.fail("unknown escape"),
        };
        self.at += 1;
        Ok(character)
    }

    /// Reads one `\uXXXX`, or a surrogate pair. A lone surrogate has no encoding in UTF-8.
    fn escaped_unit(&mut self) -> Result<char, Malformed> {
        let mut units = vec![self.unit()?];
        if (0xd800..0xdc00).contains(&units[0]) && self.text[self.at..].starts_with("\\u") {
            self.at += 1;
            units.push(self.unit()?);
        }
        match String::from_utf16(&units).ok().and_then(|text| text.chars().next()) {
            Some(character) => Ok(character),
            None => self.fail("a lone surrogate"),
        }
    }

    /// Reads the 4 hexadecimal digits after the `u`.
    fn unit(&mut self) -> Result<u16, Malformed> {
        let digits = self.text.as_bytes().get(self.at + 1..self.at + 5);
        let digits = digits.and_then(|digits| str::from_utf8(digits).ok());
        // `from_str_radix` also accepts a sign.
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at += 5;
                Ok(unit)
            }
            None => self.fail("expected 4 hexadecimal digits"),
        }
    }
}

fn is_exact(number: i128) -> bool {
    (i64::MIN.into()..=u64::MAX.into()).contains(&number)
}
