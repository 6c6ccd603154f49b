package store

import "sort"

// state tells whether a revision is deleted. A revision that is known only from the path of another
// one has the zero value.
type state int

const (
	nameOnly state = iota
	live
	deleted
)

// revision is one node of a tree. The parent is zero for a root. The body is empty where it is not
// stored: for names from a path, and after a compaction.
type revision struct {
	parent revID
	state  state
	body   body
}

// document is the revision tree of one document. A document in a database never changes: changes are
// made to a copy, which then replaces it.
type document struct {
	revisions map[revID]revision
	sequence  int64 // of the latest change
}

func (d *document) copy() *document {
	copied := &document{revisions: make(map[revID]revision, len(d.revisions)), sequence: d.sequence}
	for rev, revision := range d.revisions {
		copied.revisions[rev] = revision
	}
	return copied
}

func (d *document) equal(other *document) bool {
	if len(d.revisions) != len(other.revisions) {
		return false
	}
	for rev, revision := range d.revisions {
		if found, isThere := other.revisions[rev]; !isThere || found != revision {
			return false
		}
	}
	return true
}

func (d *document) has(rev revID) bool {
	_, found := d.revisions[rev]
	return found
}

func (d *document) hasBody(rev revID) bool { return d.revisions[rev].body != "" }

func (d *document) isDeleted(rev revID) bool { return d.revisions[rev].state == deleted }

// leaves returns the revisions without children, the winner first: live before deleted, then by id.
func (d *document) leaves() []revID {
	isParent := make(map[revID]bool, len(d.revisions))
	for _, revision := range d.revisions {
		isParent[revision.parent] = true
	}
	leaves := []revID{}
	for rev := range d.revisions {
		if !isParent[rev] {
			leaves = append(leaves, rev)
		}
	}
	sort.Slice(leaves, func(i, j int) bool {
		a, b := leaves[i], leaves[j]
		if d.isDeleted(a) != d.isDeleted(b) {
			return d.isDeleted(b)
		}
		return b.less(a)
	})
	return leaves
}

func (d *document) liveLeaves() []revID {
	leaves := d.leaves()
	count := sort.Search(len(leaves), func(i int) bool { return d.isDeleted(leaves[i]) })
	return leaves[:count]
}

// liveWinner returns the revision that a read without a revision returns. It is false when all leaves
// are deleted.
func (d *document) liveWinner() (revID, bool) {
	leaves := d.liveLeaves()
	if len(leaves) == 0 {
		return revID{}, false
	}
	return leaves[0], true
}

func (d *document) isLive() bool {
	_, isLive := d.liveWinner()
	return isLive
}

// path returns at most limit revisions: this one and its ancestors, newest first.
func (d *document) path(rev revID, limit int) revPath {
	path := revPath{}
	for ; rev != (revID{}) && len(path) < limit; rev = d.revisions[rev].parent {
		path = append(path, rev)
	}
	return path
}

func (d *document) isAncestor(rev, leaf revID) bool {
	for ; leaf != (revID{}); leaf = d.revisions[leaf].parent {
		if leaf == rev {
			return true
		}
	}
	return false
}

// merge adds the new parts of a record, and never replaces known ones.
func (d *document) merge(path revPath, state state, body body) {
	tip := d.revisions[path[0]]
	if tip.state == nameOnly {
		tip.state = state
	}
	if tip.body == "" {
		tip.body = body
	}
	d.revisions[path[0]] = tip
	for i, parent := range path[1:] {
		child, found := d.revisions[path[i]]
		if !found || child.parent != (revID{}) {
			// Not found: the path names another parent for a revision whose parent is known.
			continue
		}
		child.parent = parent
		d.revisions[path[i]] = child
		if !d.has(parent) {
			d.revisions[parent] = revision{}
		}
	}
}

// keepNewest removes all revisions that are not among the newest of any leaf.
func (d *document) keepNewest(limit int) { d.keepPaths(d.leaves(), limit) }

// removeLeaves removes some leaves, and the ancestors that no other leaf has.
func (d *document) removeLeaves(removed []revID) {
	isRemoved := set(removed)
	kept := []revID{}
	for _, leaf := range d.leaves() {
		if !isRemoved[leaf] {
			kept = append(kept, leaf)
		}
	}
	d.keepPaths(kept, noLimit)
}

func (d *document) keepPaths(leaves []revID, limit int) {
	kept := map[revID]revision{}
	for _, leaf := range leaves {
		for _, rev := range d.path(leaf, limit) {
			kept[rev] = d.revisions[rev]
		}
	}
	for rev, revision := range kept {
		if _, isKept := kept[revision.parent]; !isKept {
			revision.parent = revID{}
			kept[rev] = revision
		}
	}
	d.revisions = kept
}

// compact drops the bodies of all revisions that are not leaves.
func (d *document) compact() {
	isLeaf := set(d.leaves())
	for rev, revision := range d.revisions {
		if !isLeaf[rev] {
			revision.body = ""
			d.revisions[rev] = revision
		}
	}
}

func set(revs []revID) map[revID]bool {
	members := make(map[revID]bool, len(revs))
	for _, rev := range revs {
		members[rev] = true
	}
	return members
}
