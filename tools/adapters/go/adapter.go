// Command adapter serves the little store over the line protocol of Vectors/protocol.md.
//
// An adapter for another store is this file with another description and another store.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"

	"littlestore/store"
)

const (
	version     = 1
	longestLine = 64 << 20
)

type object = map[string]any

// description is the response to "hello". Vectors of undeclared capabilities and profiles are skipped.
var description = object{
	"protocol": version, "name": "little-store", "version": "1.0", "language": runtime.Version(),
	"capabilities": store.Capabilities, "profiles": store.Profiles,
	"limits": object{"depth": store.LargestDepth}, "pipelining": true,
}

// A request has an id and exactly one of the other members.
type request struct {
	ID                  *int64
	Hello               *struct{ Protocol struct{ First, Last int } }
	Reset, Perform, Bye json.RawMessage
}

type response struct {
	ID    int64 `json:"id"`
	OK    any   `json:"ok,omitempty"`
	Error any   `json:"error,omitempty"`
}

func main() {
	requests, responses := bufio.NewReader(os.Stdin), os.Stdout
	os.Stdout = os.Stderr // The output of other code must not mix with the responses.
	little := store.New()
	for ended := false; !ended; {
		// A bufio.Scanner would reject long lines.
		line, err := requests.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return
		}
		var next request
		if err != nil || json.Unmarshal(line, &next) != nil || next.ID == nil || !store.IsUnicode(line) {
			log.Fatalf("malformed request: %.200q", line)
		}
		answer := response{ID: *next.ID}
		switch {
		case next.Hello != nil && next.Hello.Protocol.First <= version && version <= next.Hello.Protocol.Last:
			answer.OK = description
		case next.Hello != nil:
			answer.Error = object{"message": fmt.Sprintf("this adapter speaks version %d", version)}
			ended = true
		case next.Perform != nil:
			var refusal *store.Error
			answer.OK, err = little.Perform(next.Perform)
			if errors.As(err, &refusal) {
				answer.Error = refusal
			} else if err != nil {
				log.Fatal(err)
			}
		case next.Reset != nil || next.Bye != nil:
			little, answer.OK, ended = store.New(), object{}, next.Bye != nil
		default:
			log.Fatalf("unknown request: %.200q", line)
		}
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(answer); err != nil {
			log.Fatal(err)
		}
		if out.Len() > longestLine {
			out.Reset()
			fmt.Fprintf(&out, `{"id":%d,"error":{"kind":"tooLarge","limit":%d}}`+"\n", answer.ID, longestLine)
		}
		if _, err := responses.Write(out.Bytes()); err != nil {
			log.Fatal(err)
		}
	}
}
