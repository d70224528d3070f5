package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/portavoz/portavoz/voice"
)

// request is one question. A number among the inputs is read as it is written,
// so that no digit is lost.
type request struct {
	ID      json.RawMessage `json:"id"`      // any JSON value; it comes back
	Kind    string          `json:"kind"`    // default: text
	Input   json.RawMessage `json:"input"`   // a string or a number
	Options options         `json:"options"` // may be missing
}

// reply is its answer: either got or error.
type reply struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Got     *string         `json:"got,omitempty"`
	Removed []voice.Piece   `json:"removed,omitempty"` // of a text
	Error   string          `json:"error,omitempty"`
}

// session answers the lines of one run.
type session struct {
	country voice.Country // of questions that name none
	zones   voice.Zones
	out     *bufio.Writer
}

// answer answers one line. A question that cannot be answered is no reason to
// stop; an output that is gone is.
func (s *session) answer(line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var q request
	if err := json.Unmarshal(line, &q); err != nil {
		return s.write(reply{ID: idOf(line), Error: "not a question: " + err.Error()})
	}
	got, removed, err := s.say(&q)
	if err != nil {
		return s.write(reply{ID: q.ID, Error: err.Error()})
	}
	return s.write(reply{ID: q.ID, Got: &got, Removed: removed})
}

func (s *session) tooLong() error {
	return s.write(reply{Error: fmt.Sprintf("the line is longer than %d bytes", maxLine)})
}

func (s *session) write(r reply) error {
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

// idOf saves the id of a question whose rest is of the wrong form.
func idOf(line []byte) json.RawMessage {
	var q struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &q) != nil {
		return nil
	}
	return q.ID
}

// text is the input as it is written, a string without its quotes.
func (q *request) text() (string, error) {
	input := bytes.TrimSpace(q.Input)
	if len(input) == 0 || string(input) == "null" {
		return "", fmt.Errorf("there is no input")
	}
	if input[0] == '"' {
		var s string
		err := json.Unmarshal(input, &s)
		return s, err
	}
	if c := input[0]; c != '-' && (c < '0' || c > '9') {
		return "", fmt.Errorf("the input is neither a string nor a number")
	}
	return string(input), nil
}
