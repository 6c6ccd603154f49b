package store

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
)

// revID is a revision id: a generation and a suffix. The zero value stands for no revision.
type revID struct {
	Generation int64
	Suffix     string
}

const largestGeneration = 1<<53 - 1

var revisionID = regexp.MustCompile(`(?s)^([1-9][0-9]{0,15})-(.+)$`)

func (rev revID) String() string { return fmt.Sprintf("%d-%s", rev.Generation, rev.Suffix) }

// MarshalText returns the only text from which UnmarshalText reads this id.
func (rev revID) MarshalText() ([]byte, error) { return []byte(rev.String()), nil }

func (rev *revID) UnmarshalText(text []byte) error {
	parts := revisionID.FindSubmatch(text)
	if parts == nil {
		return errBadRevision
	}
	generation, err := strconv.ParseInt(string(parts[1]), 10, 64)
	if err != nil || generation > largestGeneration {
		return errBadRevision
	}
	*rev = revID{generation, string(parts[2])}
	return nil
}

// child returns the id of a new child of this revision, or of a new root for the zero value.
func (rev revID) child() (revID, error) {
	if rev.Generation >= largestGeneration {
		return revID{}, errBadRevision
	}
	return revID{rev.Generation + 1, fresh()}, nil
}

// less orders revision ids by the generation as a number, then by the bytes of the suffix.
func (rev revID) less(other revID) bool {
	if rev.Generation != other.Generation {
		return rev.Generation < other.Generation
	}
	return rev.Suffix < other.Suffix
}

// revPath is the path of a record: a revision and its ancestors, newest first.
type revPath []revID

func (path revPath) check() error {
	if len(path) == 0 {
		return errBadRevision
	}
	for i, parent := range path[1:] {
		if path[i].Generation != parent.Generation+1 {
			return errBadRevision
		}
	}
	return nil
}

// fresh returns a name that is unique across processes.
func fresh() string {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		panic(err)
	}
	return hex.EncodeToString(random[:])
}
