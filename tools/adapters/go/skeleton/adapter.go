// Command adapter is the skeleton of an adapter. Connect your store at the three places marked TO DO.
// `touchstone doctor` names the next step. Vectors/protocol.md has the lines, Vectors/README.md the operations.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log"
	"os"
	"runtime"
	"unicode/utf8"
)

type object = map[string]any

// TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are skipped.
var description = object{
	"protocol": 1, "name": "my-store", "version": "0.1", "language": runtime.Version(),
	"capabilities": []string{}, "profiles": []string{},
}

// TO DO 1: your store. It is created at the start and at each reset, and is then empty.
type store struct {
	folder string // Keep files here. Remove those of the previous store.
	// databases map[string]*database
}

func newStore(folder string) *store { return &store{folder: folder} }

// TO DO 2: perform one operation. Return its result, or the error with its kind.
// The numbers in an operation are json.Numbers, which keep their digits. Return them as they are.
func (s *store) perform(operation object) (ok, refused any) {
	op, _ := operation["op"].(string)
	switch op {
	// case "open":
	// 	s.open(operation["store"].(string))
	// 	return object{}, nil
	// case "create":
	// 	id, rev := s.databases[operation["store"].(string)].create(operation["id"], operation["body"])
	// 	return object{"id": id, "rev": rev}, nil
	default:
		return nil, object{"kind": "unsupported", "what": op}
	}
}

// A request has an id and exactly one of the other members.
type request struct {
	ID    *int64
	Hello *struct {
		Protocol struct{ First, Last int }
		Folder   string
	}
	Perform    object
	Reset, Bye *struct{}
}

type response struct {
	ID    int64 `json:"id"`
	OK    any   `json:"ok,omitempty"`
	Error any   `json:"error,omitempty"`
}

func main() {
	requests, responses := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	responses.SetEscapeHTML(false)
	os.Stdout = os.Stderr // The output of other code must not mix with the responses.
	var current *store
	for ended := false; !ended; {
		line, err := requests.ReadBytes('\n') // A bufio.Scanner would reject long lines.
		if err == io.EOF && len(line) == 0 {
			return
		}
		var next request
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber() // Otherwise integers above 2^53 lose digits.
		isValid := err == nil && utf8.Valid(line) && json.Valid(line)
		if !isValid || decoder.Decode(&next) != nil || next.ID == nil {
			log.Fatalf("malformed request: %.200q", line)
		}
		answer := response{ID: *next.ID}
		switch {
		case next.Hello != nil && (next.Hello.Protocol.First > 1 || next.Hello.Protocol.Last < 1):
			answer.Error, ended = object{"message": "this adapter speaks version 1"}, true
		case next.Hello != nil:
			current, answer.OK = newStore(next.Hello.Folder), description
		case next.Perform != nil:
			answer.OK, answer.Error = current.perform(next.Perform)
		case next.Reset != nil || next.Bye != nil:
			current, answer.OK, ended = newStore(current.folder), object{}, next.Bye != nil
		default:
			log.Fatalf("unknown request: %.200q", line)
		}
		if err := responses.Encode(answer); err != nil { // Each response is one write, without a buffer.
			log.Fatal(err)
		}
	}
}
