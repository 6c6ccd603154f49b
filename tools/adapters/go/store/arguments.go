package store

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
)

// LargestDepth is the number of objects and arrays that may contain each other in a body.
const LargestDepth = 128

// decode reads the arguments of an operation, or of a part of it. Members with a type of this
// package check themselves. Required ones must be present.
func decode(operation json.RawMessage, arguments any, required ...string) error {
	var members map[string]json.RawMessage
	err := json.Unmarshal(operation, &members)
	for _, name := range required {
		if _, found := members[name]; !found {
			return badRequest(name)
		}
	}
	if err == nil {
		err = json.Unmarshal(operation, arguments)
	}
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return badRequest(mismatch.Field)
	}
	return err
}

// documentID is a valid id of a document.
type documentID string

func (id *documentID) UnmarshalText(text []byte) error {
	*id = documentID(text)
	isDesign := len(*id) > len("_design/") && strings.HasPrefix(string(*id), "_design/")
	if !isLocalID(string(*id)) || strings.HasPrefix(string(*id), "_") && !isDesign {
		return errBadID
	}
	return nil
}

// localID is a valid id of a local document. It may begin with "_".
type localID string

func (id *localID) UnmarshalText(text []byte) error {
	*id = localID(text)
	if !isLocalID(string(*id)) {
		return errBadID
	}
	return nil
}

func isLocalID(id string) bool {
	return id != "" && !strings.Contains(id, "\x00")
}

// body is the JSON text of a valid body. It keeps every digit and the order of the members, and two
// bodies with the same text can be compared with ==.
type body string

const emptyBody body = "{}"

func (b *body) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return errBadBody
	}
	for name := range members {
		if strings.HasPrefix(name, "_") {
			return errBadBody
		}
	}
	if depth(text) > LargestDepth {
		return tooLarge(LargestDepth)
	}
	*b = body(text)
	return nil
}

func (b body) MarshalJSON() ([]byte, error) { return []byte(b), nil }

// rowLimit is the requested number of rows. The pointer to one is nil without a limit.
type rowLimit int

func (limit *rowLimit) UnmarshalJSON(text []byte) error {
	var number int64
	if err := json.Unmarshal(text, &number); err != nil || number < 0 {
		return badRequest("limit")
	}
	*limit = rowLimit(number)
	return nil
}

// rows returns how many of count rows a result has.
func (limit *rowLimit) rows(count int) int {
	if limit == nil || int(*limit) > count {
		return count
	}
	return int(*limit)
}

// noLimit is a history limit that keeps everything.
const noLimit = math.MaxInt
