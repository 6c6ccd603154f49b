package store

import (
	"encoding/json"
	"errors"
)

// revsDiff returns for each document the revisions that the database lacks, with possible ancestors.
func (db *database) revsDiff(operation json.RawMessage) (any, error) {
	var arguments struct {
		Revs []json.RawMessage `json:"revs"`
	}
	if err := decode(operation, &arguments, "revs"); err != nil {
		return nil, err
	}
	results := []object{}
	for _, entry := range arguments.Revs {
		var wanted struct {
			ID   documentID `json:"id"`
			Revs []revID    `json:"revs"`
		}
		if err := decode(entry, &wanted, "id", "revs"); err != nil {
			return nil, err
		}
		document := db.draft(wanted.ID)
		missing, isMissing, highest := []revID{}, map[revID]bool{}, int64(0)
		for _, rev := range wanted.Revs {
			if document.has(rev) || isMissing[rev] {
				continue
			}
			missing, isMissing[rev] = append(missing, rev), true
			if rev.Generation > highest {
				highest = rev.Generation
			}
		}
		if len(missing) == 0 {
			continue
		}
		ancestors := []revID{}
		for _, leaf := range document.leaves() {
			if leaf.Generation < highest {
				ancestors = append(ancestors, leaf)
			}
		}
		results = append(results, object{"id": wanted.ID, "missing": missing, "possibleAncestors": ancestors})
	}
	return object{"results": results}, nil
}

// record is one revision with its history.
type record struct {
	ID      documentID `json:"id"`
	Path    revPath    `json:"path"`
	Deleted bool       `json:"deleted,omitempty"`
	Body    body       `json:"body"`
}

// found is the result of getRevisions for one revision.
type found struct {
	ID      documentID `json:"id"`
	Rev     revID      `json:"rev"`
	Records []record   `json:"records,omitempty"`
	Missing string     `json:"missing,omitempty"`
}

func (db *database) getRevisions(operation json.RawMessage) (any, error) {
	var arguments struct {
		Docs []json.RawMessage `json:"docs"`
	}
	if err := decode(operation, &arguments, "docs"); err != nil {
		return nil, err
	}
	results := []found{}
	for _, entry := range arguments.Docs {
		var wanted struct {
			ID     documentID `json:"id"`
			Revs   []revID    `json:"revs"`
			Latest bool       `json:"latest"`
		}
		if err := decode(entry, &wanted, "id", "revs"); err != nil {
			return nil, err
		}
		document := db.draft(wanted.ID)
		for _, rev := range wanted.Revs {
			results = append(results, db.find(wanted.ID, document, rev, wanted.Latest))
		}
	}
	return object{"results": results}, nil
}

// find returns the record of a revision, or with latest those of the leaves that descend from it.
func (db *database) find(id documentID, document *document, rev revID, latest bool) found {
	result := found{ID: id, Rev: rev}
	switch {
	case !document.has(rev):
		result.Missing = "missing"
	case latest:
		for _, leaf := range document.leaves() {
			if document.isAncestor(rev, leaf) {
				result.Records = append(result.Records, db.record(id, document, leaf))
			}
		}
	case !document.hasBody(rev):
		result.Missing = "bodyMissing"
	default:
		result.Records = []record{db.record(id, document, rev)}
	}
	return result
}

// record returns a revision with as much of its history as the history limit allows.
func (db *database) record(id documentID, document *document, rev revID) record {
	path := document.path(rev, db.historyLimit)
	return record{id, path, document.isDeleted(rev), document.revisions[rev].body}
}

// insertRevisions merges records independently. The history limit applies when all of them are merged.
func (db *database) insertRevisions(operation json.RawMessage) (any, error) {
	var arguments struct {
		Records []json.RawMessage `json:"records"`
	}
	if err := decode(operation, &arguments, "records"); err != nil {
		return nil, err
	}
	results := []object{}
	drafts, order := map[documentID]*document{}, []documentID{}
	for _, entry := range arguments.Records {
		record, err := db.checkedRecord(entry, drafts)
		var refusal *Error
		switch {
		case errors.As(err, &refusal):
			results = append(results, object{"error": refusal})
			continue
		case err != nil:
			return nil, err
		}
		if drafts[record.ID] == nil {
			drafts[record.ID] = db.draft(record.ID)
			order = append(order, record.ID)
		}
		drafts[record.ID].merge(record.Path, stateOf(record.Deleted), record.Body)
		results = append(results, object{"ok": object{}})
	}
	for _, id := range order {
		db.settle(id, drafts[id])
	}
	return object{"results": results}, nil
}

// checkedRecord reads a record. Validation checks it unless its revision is already stored.
func (db *database) checkedRecord(entry json.RawMessage, drafts map[documentID]*document) (record, error) {
	var record record
	if err := decode(entry, &record, "id", "path", "body"); err != nil {
		return record, err
	}
	if err := record.Path.check(); err != nil {
		return record, err
	}
	document := drafts[record.ID]
	if document == nil {
		document = db.draft(record.ID)
	}
	if !document.hasBody(record.Path[0]) && db.refuses(record.ID, record.Deleted, record.Body) {
		return record, errForbidden
	}
	return record, nil
}

func stateOf(isDeleted bool) state {
	if isDeleted {
		return deleted
	}
	return live
}
