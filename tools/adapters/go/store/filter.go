package store

import "encoding/json"

// filter reports whether it describes a revision.
type filter func(id documentID, isDeleted bool, body body) bool

// nothing is the filter that describes no revision.
func nothing(documentID, bool, body) bool { return false }

// newFilter reads the argument "refuse". The value null describes nothing.
func newFilter(text json.RawMessage) (filter, error) {
	var rule *struct {
		DocumentIDs     []documentID `json:"documentIDs"`
		BodyFieldEquals *struct {
			Field string          `json:"field"`
			Value json.RawMessage `json:"value"`
		} `json:"bodyFieldEquals"`
		Live bool `json:"live"`
	}
	switch err := json.Unmarshal(text, &rule); {
	case err != nil:
		return nil, badRequest("refuse")
	case rule == nil:
		return nothing, nil
	case rule.DocumentIDs != nil:
		ids := map[documentID]bool{}
		for _, id := range rule.DocumentIDs {
			ids[id] = true
		}
		return func(id documentID, _ bool, _ body) bool { return ids[id] }, nil
	case rule.BodyFieldEquals != nil && rule.BodyFieldEquals.Value != nil:
		field, wanted := rule.BodyFieldEquals.Field, parse(rule.BodyFieldEquals.Value)
		return func(_ documentID, _ bool, body body) bool {
			members := parse([]byte(body)).(map[string]any)
			value, found := members[field]
			return found && same(value, wanted)
		}, nil
	case rule.Live:
		return func(_ documentID, isDeleted bool, _ body) bool { return !isDeleted }, nil
	default:
		return nil, badRequest("refuse")
	}
}
