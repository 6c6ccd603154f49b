// Package store is a small document store in memory, written from Vectors/README.md to be read.
//
// Where a faster or shorter form would be harder to follow, it uses the plain one.
package store

import (
	"encoding/json"
	"regexp"
)

var (
	// Capabilities lists what the store offers beyond the core.
	Capabilities = []string{
		"resolve", "compact", "purge", "historyLimit", "atomicBatch", "validation", "flush", "tombstoneBodies",
	}
	// Profiles lists the guarantees of the store.
	Profiles = []string{"dense-changes", "incarnation-sequences", "exact-numbers"}

	storeName = regexp.MustCompile(`^[a-z][a-z0-9_$()+/-]*$`)
)

// object is a result, or a part of one, without a dedicated type.
type object = map[string]any

// Store has all databases of one place, by name.
type Store struct {
	databases map[string]*database
	open      map[string]bool
}

// New returns a store without databases.
func New() *Store {
	return &Store{databases: map[string]*database{}, open: map[string]bool{}}
}

// Perform performs one operation and returns its result. A refusal is an *Error.
func (s *Store) Perform(operation json.RawMessage) (any, error) {
	var target struct {
		Op    string `json:"op"`
		Store string `json:"store"`
	}
	if err := decode(operation, &target, "op", "store"); err != nil {
		return nil, err
	}
	name := target.Store
	switch {
	case target.Op == "open":
		return s.openDatabase(name, operation)
	case target.Op == "close":
		delete(s.open, name)
		return object{}, nil
	case target.Op == "destroy":
		delete(s.open, name)
		delete(s.databases, name)
		return object{}, nil
	case !s.open[name]:
		return nil, errNoSuchStore
	default:
		return s.databases[name].perform(target.Op, operation)
	}
}

// openDatabase creates a database or reopens it. There is one kind of revision ids and one collation.
func (s *Store) openDatabase(name string, operation json.RawMessage) (any, error) {
	choices := struct {
		RevisionIDs string `json:"revisionIDs"`
		Collation   string `json:"collation"`
	}{"own", "bytes"}
	if err := decode(operation, &choices); err != nil {
		return nil, err
	}
	switch {
	case !storeName.MatchString(name):
		return nil, errBadName
	case choices.RevisionIDs != "own":
		return nil, unsupported(choices.RevisionIDs)
	case choices.Collation != "bytes":
		return nil, unsupported(choices.Collation)
	}
	if s.databases[name] == nil {
		s.databases[name] = newDatabase()
	}
	s.open[name] = true
	return object{}, nil
}
