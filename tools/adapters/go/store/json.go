package store

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// IsUnicode reports whether a line of JSON is valid UTF-8 without escaped lone surrogates.
// encoding/json replaces both by U+FFFD, which would make different ids equal.
func IsUnicode(line []byte) bool {
	for i := 0; i < len(line); i++ {
		if line[i] != '\\' {
			continue
		}
		switch unit := escapedUnit(line[i:]); {
		case unit < 0xD800 || unit > 0xDFFF:
			i++ // the escaped character
		case unit < 0xDC00 && isLowSurrogate(escapedUnit(line[i+6:])):
			i += 11
		default:
			return false
		}
	}
	return utf8.Valid(line)
}

func isLowSurrogate(unit int64) bool { return unit >= 0xDC00 && unit <= 0xDFFF }

// escapedUnit returns the UTF-16 unit of the escape \uXXXX that text begins with, or -1.
func escapedUnit(text []byte) int64 {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int64(unit)
}

// depth returns how many objects and arrays contain each other in a valid JSON text: 1 for {}.
func depth(text []byte) int {
	deepest, now, inString := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			inString = !inString
		case inString && c == '\\':
			i++
		case inString:
		case c == '{' || c == '[':
			now++
			if now > deepest {
				deepest = now
			}
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// parse returns the value of a valid JSON text. Numbers keep their digits.
func parse(text []byte) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		panic(err) // The text was valid when it was stored.
	}
	return value
}

// same reports whether two parsed values are equal: 1 equals 1.0, and members have no order.
func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, isNumber := b.(json.Number)
		return isNumber && (a == b || exact(a).Cmp(exact(b)) == 0)
	case []any:
		b, isArray := b.([]any)
		if !isArray || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, isObject := b.(map[string]any)
		if !isObject || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, found := b[name]; !found || !same(value, other) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(a, b)
	}
}

// exact returns the value of a number: an integer of 64 bits, or else the nearest double.
func exact(number json.Number) *big.Rat {
	if integer, err := strconv.ParseInt(string(number), 10, 64); err == nil {
		return new(big.Rat).SetInt64(integer)
	}
	if natural, err := strconv.ParseUint(string(number), 10, 64); err == nil {
		return new(big.Rat).SetUint64(natural)
	}
	double, err := number.Float64()
	if err != nil {
		panic(err) // The runner sends finite doubles only.
	}
	return new(big.Rat).SetFloat64(double)
}
