package store

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// database is one named store from its creation to its destruction.
type database struct {
	incarnation    string
	documents      map[documentID]*document
	localDocuments map[localID]body
	last           int64 // the sequence of the latest change
	historyLimit   int
	refuses        filter
}

func newDatabase() *database {
	return &database{
		incarnation:    fresh(),
		documents:      map[documentID]*document{},
		localDocuments: map[localID]body{},
		historyLimit:   noLimit,
		refuses:        nothing,
	}
}

// copy returns a database that can be changed and thrown away. It shares the documents, which never change.
func (db *database) copy() *database {
	copied := *db
	copied.documents = make(map[documentID]*document, len(db.documents))
	for id, document := range db.documents {
		copied.documents[id] = document
	}
	copied.localDocuments = make(map[localID]body, len(db.localDocuments))
	for id, body := range db.localDocuments {
		copied.localDocuments[id] = body
	}
	return &copied
}

// perform performs one operation. An operation that fails changes nothing.
func (db *database) perform(op string, operation json.RawMessage) (any, error) {
	switch op {
	case "info":
		return db.info(), nil
	case "create":
		return db.create(operation)
	case "update":
		return db.update(operation)
	case "delete":
		return db.delete(operation)
	case "read":
		return db.read(operation)
	case "list":
		return db.list(operation)
	case "leaves":
		return db.leaves(operation)
	case "changes":
		return db.changes(operation)
	case "readLocal":
		return db.readLocal(operation)
	case "writeLocal":
		return db.writeLocal(operation)
	case "revsDiff":
		return db.revsDiff(operation)
	case "getRevisions":
		return db.getRevisions(operation)
	case "insertRevisions":
		return db.insertRevisions(operation)
	case "resolve":
		return db.resolve(operation)
	case "compact":
		return db.compact(), nil
	case "purge":
		return db.purge(operation)
	case "historyLimit":
		return db.setHistoryLimit(operation)
	case "batch":
		return db.batch(operation)
	case "setValidation":
		return db.setValidation(operation)
	case "flush":
		return object{}, nil // Everything is in memory: there is nothing to write.
	default:
		return nil, unsupported(op)
	}
}

// sequence returns the text of a sequence. It names the incarnation to which the sequence belongs.
func (db *database) sequence(number int64) string {
	return fmt.Sprintf("%s-%d", db.incarnation, number)
}

// position returns the number of a sequence of this incarnation.
func (db *database) position(sequence json.RawMessage) (int64, error) {
	var text string
	if err := json.Unmarshal(sequence, &text); err != nil {
		return 0, errBadSequence
	}
	number, err := strconv.ParseInt(strings.TrimPrefix(text, db.incarnation+"-"), 10, 64)
	if err != nil || number < 0 || number > db.last || text != db.sequence(number) {
		return 0, errBadSequence
	}
	return number, nil
}

// sortedIDs returns the ids of all documents in the order of their bytes.
func (db *database) sortedIDs() []documentID {
	ids := make([]documentID, 0, len(db.documents))
	for id := range db.documents {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	return ids
}

// draft returns a copy of a document, or an empty one, to be changed and then given to settle.
func (db *database) draft(id documentID) *document {
	if document := db.documents[id]; document != nil {
		return document.copy()
	}
	return &document{revisions: map[revID]revision{}}
}

// edit adds a child of parent to a draft, or a root where parent is zero.
func (db *database) edit(
	id documentID, draft *document, parent revID, state state, body body,
) (revID, error) {
	rev, err := parent.child()
	if err != nil {
		return revID{}, err
	}
	if db.refuses(id, state == deleted, body) {
		return revID{}, errForbidden
	}
	path := revPath{rev}
	if parent != (revID{}) {
		path = append(path, parent)
	}
	draft.merge(path, state, body)
	return rev, nil
}

// settle replaces a document by its draft. It applies the history limit, and gives the document the
// next sequence if anything differs.
func (db *database) settle(id documentID, draft *document) {
	before := db.draft(id)
	if draft.equal(before) {
		return
	}
	draft.keepNewest(db.historyLimit)
	if draft.equal(before) {
		return
	}
	db.last++
	draft.sequence = db.last
	if len(draft.revisions) == 0 {
		delete(db.documents, id)
	} else {
		db.documents[id] = draft
	}
}
