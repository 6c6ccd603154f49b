package store

// Error is the reason why an operation was refused: the member "error" of a response.
type Error struct {
	Kind   string  `json:"kind"`
	Reason string  `json:"reason,omitempty"`
	Path   string  `json:"path,omitempty"`
	What   *string `json:"what,omitempty"`
	Limit  int64   `json:"limit,omitempty"`
	Write  *int    `json:"write,omitempty"`
}

func (e *Error) Error() string { return e.Kind }

// The errors without other members.
var (
	errBadBody     = &Error{Kind: "badBody"}
	errBadID       = &Error{Kind: "badID"}
	errBadName     = &Error{Kind: "badName"}
	errBadRevision = &Error{Kind: "badRevision"}
	errBadSequence = &Error{Kind: "badSequence"}
	errConflict    = &Error{Kind: "conflict"}
	errForbidden   = &Error{Kind: "forbidden"}
	errNoSuchStore = &Error{Kind: "noSuchStore"}
)

// notFound has the reason "missing", "deleted" or "bodyMissing".
func notFound(reason string) *Error { return &Error{Kind: "notFound", Reason: reason} }

// badRequest names the argument that is missing or invalid.
func badRequest(path string) *Error { return &Error{Kind: "badRequest", Path: path} }

// unsupported names an operation or a choice that the store does not offer.
func unsupported(what string) *Error { return &Error{Kind: "unsupported", What: &what} }

func tooLarge(limit int64) *Error { return &Error{Kind: "tooLarge", Limit: limit} }
