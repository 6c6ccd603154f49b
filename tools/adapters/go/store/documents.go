package store

import (
	"encoding/json"
	"sort"
)

// written is the result of an edit.
type written struct {
	ID  documentID `json:"id"`
	Rev revID      `json:"rev"`
}

// leafRow is a leaf as "leaves" and "changes" show it.
type leafRow struct {
	Rev     revID `json:"rev"`
	Deleted bool  `json:"deleted"`
}

func (d *document) leafRows() []leafRow {
	rows := []leafRow{}
	for _, rev := range d.leaves() {
		rows = append(rows, leafRow{rev, d.isDeleted(rev)})
	}
	return rows
}

func (db *database) info() any {
	count := 0
	for _, document := range db.documents {
		if document.isLive() {
			count++
		}
	}
	return object{
		"documents": count, "deletedDocuments": len(db.documents) - count,
		"last": db.sequence(db.last), "incarnation": db.incarnation,
	}
}

// create adds a document, or a live child of the winner of a deleted one.
func (db *database) create(operation json.RawMessage) (any, error) {
	arguments := struct {
		ID   documentID `json:"id"`
		Body body       `json:"body"`
	}{ID: documentID(fresh())}
	if err := decode(operation, &arguments, "body"); err != nil {
		return nil, err
	}
	draft := db.draft(arguments.ID)
	if draft.isLive() {
		return nil, errConflict
	}
	var parent revID
	if leaves := draft.leaves(); len(leaves) > 0 {
		parent = leaves[0]
	}
	return db.write(arguments.ID, draft, parent, live, arguments.Body)
}

func (db *database) update(operation json.RawMessage) (any, error) {
	var arguments struct {
		ID   documentID `json:"id"`
		Rev  revID      `json:"rev"`
		Body body       `json:"body"`
	}
	if err := decode(operation, &arguments, "id", "rev", "body"); err != nil {
		return nil, err
	}
	return db.editLeaf(arguments.ID, arguments.Rev, live, arguments.Body)
}

func (db *database) delete(operation json.RawMessage) (any, error) {
	arguments := struct {
		ID   documentID `json:"id"`
		Rev  revID      `json:"rev"`
		Body body       `json:"body"`
	}{Body: emptyBody}
	if err := decode(operation, &arguments, "id", "rev"); err != nil {
		return nil, err
	}
	return db.editLeaf(arguments.ID, arguments.Rev, deleted, arguments.Body)
}

// editLeaf adds a child of a leaf.
func (db *database) editLeaf(id documentID, parent revID, state state, body body) (any, error) {
	document := db.documents[id]
	if document == nil {
		return nil, notFound("missing")
	}
	if !set(document.leaves())[parent] {
		return nil, errConflict
	}
	return db.write(id, db.draft(id), parent, state, body)
}

func (db *database) write(id documentID, draft *document, parent revID, state state, body body) (any, error) {
	rev, err := db.edit(id, draft, parent, state, body)
	if err != nil {
		return nil, err
	}
	db.settle(id, draft)
	return written{id, rev}, nil
}

// read returns the live winner, or the given revision.
func (db *database) read(operation json.RawMessage) (any, error) {
	var arguments struct {
		ID  documentID `json:"id"`
		Rev *revID     `json:"rev"`
	}
	if err := decode(operation, &arguments, "id"); err != nil {
		return nil, err
	}
	document := db.documents[arguments.ID]
	if document == nil {
		return nil, notFound("missing")
	}
	rev, isLive := document.liveWinner()
	switch {
	case arguments.Rev != nil:
		rev = *arguments.Rev
	case !isLive:
		return nil, notFound("deleted")
	}
	switch {
	case !document.has(rev):
		return nil, notFound("missing")
	case !document.hasBody(rev):
		return nil, notFound("bodyMissing")
	}
	return object{
		"id": arguments.ID, "rev": rev, "deleted": document.isDeleted(rev), "body": document.revisions[rev].body,
	}, nil
}

// list returns the documents with a live winner in byte order of their ids.
func (db *database) list(operation json.RawMessage) (any, error) {
	var arguments struct {
		From       *string   `json:"from"`
		Limit      *rowLimit `json:"limit"`
		Descending bool      `json:"descending"`
	}
	if err := decode(operation, &arguments); err != nil {
		return nil, err
	}
	rows := []written{}
	for _, id := range db.sortedIDs() {
		isBefore := arguments.From != nil && string(id) < *arguments.From
		isAfter := arguments.From != nil && string(id) > *arguments.From
		rev, isLive := db.documents[id].liveWinner()
		if isLive && !(isBefore && !arguments.Descending) && !(isAfter && arguments.Descending) {
			rows = append(rows, written{id, rev})
		}
	}
	if arguments.Descending {
		sort.Slice(rows, func(i, j int) bool { return rows[i].ID > rows[j].ID })
	}
	return object{"rows": rows[:arguments.Limit.rows(len(rows))]}, nil
}

func (db *database) leaves(operation json.RawMessage) (any, error) {
	var arguments struct {
		ID documentID `json:"id"`
	}
	if err := decode(operation, &arguments, "id"); err != nil {
		return nil, err
	}
	document := db.documents[arguments.ID]
	if document == nil {
		return nil, notFound("missing")
	}
	return object{"leaves": document.leafRows()}, nil
}

// changes returns one row for each document that changed after since, in the order of the changes.
func (db *database) changes(operation json.RawMessage) (any, error) {
	var arguments struct {
		Since json.RawMessage `json:"since"`
		Limit *rowLimit       `json:"limit"`
	}
	if err := decode(operation, &arguments); err != nil {
		return nil, err
	}
	var since int64
	if arguments.Since != nil {
		var err error
		if since, err = db.position(arguments.Since); err != nil {
			return nil, err
		}
	}
	changed := []documentID{}
	for id, document := range db.documents {
		if document.sequence > since {
			changed = append(changed, id)
		}
	}
	sequence := func(i int) int64 { return db.documents[changed[i]].sequence }
	sort.Slice(changed, func(i, j int) bool { return sequence(i) < sequence(j) })
	count := arguments.Limit.rows(len(changed))
	last := db.last
	if count < len(changed) {
		last = since
		if count > 0 {
			last = sequence(count - 1)
		}
	}
	rows := []object{}
	for _, id := range changed[:count] {
		document := db.documents[id]
		rows = append(rows, object{
			"seq": db.sequence(document.sequence), "id": id,
			"deleted": !document.isLive(), "leaves": document.leafRows(),
		})
	}
	return object{"rows": rows, "last": db.sequence(last), "more": count < len(changed)}, nil
}

func (db *database) readLocal(operation json.RawMessage) (any, error) {
	var arguments struct {
		ID localID `json:"id"`
	}
	if err := decode(operation, &arguments, "id"); err != nil {
		return nil, err
	}
	body, found := db.localDocuments[arguments.ID]
	if !found {
		return nil, notFound("missing")
	}
	return object{"body": body}, nil
}

// writeLocal replaces a local document. The body null deletes it.
func (db *database) writeLocal(operation json.RawMessage) (any, error) {
	var arguments struct {
		ID   localID `json:"id"`
		Body *body   `json:"body"`
	}
	if err := decode(operation, &arguments, "id", "body"); err != nil {
		return nil, err
	}
	if arguments.Body == nil {
		delete(db.localDocuments, arguments.ID)
	} else {
		db.localDocuments[arguments.ID] = *arguments.Body
	}
	return object{}, nil
}
