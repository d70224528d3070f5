package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// lastEvent reads the answer out of an event stream: the data of the event
// that is a response. Notifications before it are passed over. The stream is not
// read beyond it, since a server may leave it open.
func lastEvent(r io.Reader) ([]byte, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxBody)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
			continue
		}
		if len(line) == 0 {
			if isResponse(data) {
				return data, nil
			}
			data = nil
		}
	}
	if isResponse(data) { // the stream ended without a blank line
		return data, nil
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, errors.New("the event stream ended without an answer")
}

func isResponse(data []byte) bool {
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	return len(data) > 0 && json.Unmarshal(data, &answer) == nil && (answer.Result != nil || answer.Error != nil)
}
