package store

import (
	"encoding/json"
	"errors"
	"fmt"
)

// resolve ends a conflict: it keeps one live leaf, or adds a child to it, and deletes the others.
func (db *database) resolve(operation json.RawMessage) (any, error) {
	var arguments struct {
		ID     documentID `json:"id"`
		Leaves []revID    `json:"leaves"`
		Keep   revID      `json:"keep"`
		Body   *body      `json:"body"`
	}
	if err := decode(operation, &arguments, "id", "leaves", "keep"); err != nil {
		return nil, err
	}
	expected := set(arguments.Leaves)
	if !expected[arguments.Keep] {
		return nil, badRequest("keep")
	}
	draft := db.draft(arguments.ID)
	leaves := draft.liveLeaves()
	if len(leaves) != len(expected) {
		return nil, errConflict
	}
	rev, tombstones := arguments.Keep, []revID{}
	for _, leaf := range leaves {
		var err error
		var tombstone revID
		switch {
		case !expected[leaf]:
			err = errConflict
		case leaf != arguments.Keep:
			tombstone, err = db.edit(arguments.ID, draft, leaf, deleted, emptyBody)
			tombstones = append(tombstones, tombstone)
		case arguments.Body != nil:
			rev, err = db.edit(arguments.ID, draft, leaf, live, *arguments.Body)
		}
		if err != nil {
			return nil, err
		}
	}
	db.settle(arguments.ID, draft)
	return object{"rev": rev, "tombstones": tombstones}, nil
}

// compact drops the bodies of all revisions that are not leaves. No document counts as changed.
func (db *database) compact() any {
	for id := range db.documents {
		draft := db.draft(id)
		draft.compact()
		db.documents[id] = draft
	}
	return object{}
}

// purge removes leaves without leaving tombstones.
func (db *database) purge(operation json.RawMessage) (any, error) {
	var arguments struct {
		ID   documentID `json:"id"`
		Revs []revID    `json:"revs"`
	}
	if err := decode(operation, &arguments, "id", "revs"); err != nil {
		return nil, err
	}
	draft, isWanted, purged := db.draft(arguments.ID), set(arguments.Revs), []revID{}
	for _, leaf := range draft.leaves() {
		if isWanted[leaf] {
			purged = append(purged, leaf)
		}
	}
	draft.removeLeaves(purged)
	db.settle(arguments.ID, draft)
	return object{"purged": purged}, nil
}

// setHistoryLimit sets how many revisions of each leaf a document keeps from its next change on.
func (db *database) setHistoryLimit(operation json.RawMessage) (any, error) {
	var arguments struct {
		Limit rowLimit `json:"limit"`
	}
	if err := decode(operation, &arguments, "limit"); err != nil {
		return nil, err
	}
	if arguments.Limit < 1 {
		return nil, badRequest("limit")
	}
	db.historyLimit = int(arguments.Limit)
	return object{}, nil
}

// batch performs writes in order on a copy of the database, and keeps the copy if all succeed.
func (db *database) batch(operation json.RawMessage) (any, error) {
	var arguments struct {
		Writes []json.RawMessage `json:"writes"`
	}
	if err := decode(operation, &arguments, "writes"); err != nil {
		return nil, err
	}
	attempt, results := db.copy(), []any{}
	for place, write := range arguments.Writes {
		result, err := attempt.performInBatch(write, place)
		var refusal *Error
		if errors.As(err, &refusal) {
			inBatch := *refusal
			inBatch.Write = &place
			return nil, &inBatch
		} else if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	*db = *attempt
	return object{"results": results}, nil
}

func (db *database) performInBatch(write json.RawMessage, place int) (any, error) {
	var arguments struct {
		Op string `json:"op"`
	}
	if err := decode(write, &arguments); err != nil {
		return nil, err
	}
	switch arguments.Op {
	case "create", "update", "delete", "resolve", "writeLocal":
		return db.perform(arguments.Op, write)
	default:
		return nil, badRequest(fmt.Sprintf("writes[%d].op", place))
	}
}

// setValidation sets which writes are refused. The filter null refuses none.
func (db *database) setValidation(operation json.RawMessage) (any, error) {
	var arguments struct {
		Refuse json.RawMessage `json:"refuse"`
	}
	err := decode(operation, &arguments, "refuse")
	if err != nil {
		return nil, err
	}
	refuses, err := newFilter(arguments.Refuse)
	if err != nil {
		return nil, err
	}
	db.refuses = refuses
	return object{}, nil
}
