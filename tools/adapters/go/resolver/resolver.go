// Command resolver is a conflict resolver, as an adapter with a resolver and without a store.
//
//	(cd tools/adapters/go && go build -o resolver/resolver ./resolver)
//	touchstone resolver --implementation exec:tools/adapters/go/resolver/resolver
//
// It merges member by member. Where two sides differ, the value of the winner remains. To check another
// resolver, replace resolve. Vectors/protocol.md describes the lines.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

type object = map[string]any

// A version is a leaf or the ancestor. Body is nil for a tombstone.
type version struct {
	Rev  string
	Body object
}

type conflict struct {
	Leaves   []version
	Ancestor *version
}

var description = object{
	"protocol": 1, "name": "merge", "version": "1.0", "language": runtime.Version(), "resolver": true,
}

// resolve returns the answer to a conflict. The numbers are json.Numbers, which keep their digits.
func resolve(c conflict) object {
	sort.Slice(c.Leaves, func(i, j int) bool { return precedes(c.Leaves[i].Rev, c.Leaves[j].Rev) })
	var live []object
	for _, leaf := range c.Leaves {
		if leaf.Body != nil {
			live = append(live, leaf.Body)
		}
	}
	base, isUnchanged := object{}, c.Ancestor != nil
	if c.Ancestor != nil {
		base = c.Ancestor.Body
	}
	names := map[string]bool{}
	for _, body := range append(live, base) {
		isUnchanged = isUnchanged && reflect.DeepEqual(body, base)
		for name := range body {
			names[name] = true
		}
	}
	// Each side deleted the document, or one did and no other side changed it.
	if len(live) == 0 || len(live) < len(c.Leaves) && isUnchanged {
		return object{"delete": true}
	}
	merged := object{} // encoding/json writes members in the order of their names.
	for name := range names {
		source := base
		for i := len(live) - 1; i >= 0; i-- {
			if !sameMember(live[i], base, name) {
				source = live[i]
			}
		}
		if value, found := source[name]; found {
			merged[name] = value
		}
	}
	return object{"body": merged}
}

// precedes reports whether a revision is greater than another one: by generation, then by suffix.
func precedes(a, b string) bool {
	left, right, _ := strings.Cut(a, "-")
	otherLeft, otherRight, _ := strings.Cut(b, "-")
	generation, _ := strconv.Atoi(left)
	otherGeneration, _ := strconv.Atoi(otherLeft)
	if generation != otherGeneration {
		return generation > otherGeneration
	}
	return right > otherRight
}

// sameMember reports whether two bodies have the same value of a member, or both lack it.
func sameMember(a, b object, name string) bool {
	value, found := a[name]
	other, otherFound := b[name]
	return found == otherFound && reflect.DeepEqual(value, other)
}

// A request has an id and exactly one of the other members.
type request struct {
	ID    int64
	Hello *struct {
		Protocol struct{ First, Last int }
	}
	ResolveConflict *conflict
	Perform         *struct{ Op string }
	Reset, Bye      *struct{}
}

type response struct {
	ID    int64 `json:"id"`
	OK    any   `json:"ok,omitempty"`
	Error any   `json:"error,omitempty"`
}

func main() {
	requests, responses := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	responses.SetEscapeHTML(false)
	for {
		line, err := requests.ReadBytes('\n') // A bufio.Scanner would reject long lines.
		if err == io.EOF && len(line) == 0 {
			return
		}
		var next request
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		if err != nil || decoder.Decode(&next) != nil {
			log.Fatalf("malformed request: %.200q", line)
		}
		answer := response{ID: next.ID, OK: object{}}
		switch {
		case next.Hello != nil && (next.Hello.Protocol.First > 1 || next.Hello.Protocol.Last < 1):
			answer.OK, answer.Error = nil, object{"message": "this adapter speaks version 1"}
		case next.Hello != nil:
			answer.OK = description
		case next.ResolveConflict != nil:
			answer.OK = resolve(*next.ResolveConflict)
		case next.Perform != nil:
			answer.OK, answer.Error = nil, object{"kind": "unsupported", "what": next.Perform.Op}
		case next.Reset == nil && next.Bye == nil:
			log.Fatalf("unknown request: %.200q", line)
		}
		if err := responses.Encode(answer); err != nil { // Each response is one write, without a buffer.
			log.Fatal(err)
		}
		if next.Bye != nil {
			return
		}
	}
}
