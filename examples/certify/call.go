package main

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The metadata of a call that is sent.
const (
	metaKey          = "com.asixto/idempotencyKey"
	metaConversation = "com.asixto/conversationId"
	metaRequest      = "com.asixto/requestId"
	metaChannel      = "com.asixto/channel"
	metaTimezone     = "com.asixto/timezone"
	metaCurrency     = "com.asixto/currency"
)

// callInfo is what a call says beside its arguments.
type callInfo struct {
	conversation string
	voice        bool
	key          any // nil: none
	edit         func(*http.Request)
}

// block is one element of content.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// answer is the reply to a call of a tool.
type answer struct {
	reply
	tool  *tool
	voice bool
	// What the result says, if there is one.
	content    []block
	structured json.RawMessage
	failed     bool // isError
	resultType string
	failure    failure
}

// failure is a business failure as Asixto Gateway reads it.
type failure struct {
	Type    string `json:"error_type"`
	Message string `json:"user_message"`
	Details struct {
		Code       string      `json:"code"`
		Retryable  bool        `json:"retryable"`
		RetryAfter json.Number `json:"retry_after_seconds"`
	} `json:"details"`
}

// success reports whether the tool did what it was asked for.
func (a answer) success() bool { return a.ok() && !a.failed }

// refused reports whether the call was refused as the caller's fault: as a
// failure of the tool, or as wrong parameters.
func (a answer) refused() bool {
	return a.ok() && a.failed || a.fault != nil && a.fault.Code == codeInvalidParams
}

// text joins the text blocks.
func (a answer) text() string {
	var texts []string
	for _, b := range a.content {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// data is what two answers to one operation have in common: what the caller learns.
func (a answer) data() string {
	if len(a.structured) > 0 {
		return canonical(a.structured)
	}
	return a.text()
}

// said describes the answer in a few words for a message.
func (a answer) said() string {
	switch {
	case !a.ok():
		return a.reply.said()
	case a.failed:
		return "isError " + quote(cmp.Or(a.failure.Type, a.text()))
	}
	return "isError: false"
}

func callMessage(name string, args map[string]any, info callInfo) message {
	meta := map[string]any{metaChannel: "chat", metaTimezone: "America/Bogota", metaCurrency: "COP"}
	if info.voice {
		meta[metaChannel] = "voice"
	}
	if info.conversation != "" {
		meta[metaConversation], meta[metaRequest] = info.conversation, info.conversation
	}
	if info.key != nil {
		meta[metaKey] = info.key
	}
	if args == nil {
		args = map[string]any{}
	}
	return message{
		method: "tools/call", name: name, meta: meta, edit: info.edit,
		params: map[string]any{"name": name, "arguments": args},
	}
}

// readAnswer reads the reply to a call.
func readAnswer(t *tool, voice bool, r reply) answer {
	a := answer{reply: r, tool: t, voice: voice}
	if !r.ok() {
		return a
	}
	var result struct {
		Content    []block         `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		ResultType string          `json:"resultType"`
	}
	if a.err = json.Unmarshal(r.result, &result); a.err != nil {
		return a
	}
	if string(result.Structured) == "null" {
		result.Structured = nil
	}
	a.content, a.structured, a.failed, a.resultType = result.Content, result.Structured, result.IsError, result.ResultType
	if a.failed {
		var wrapped struct {
			Error failure `json:"error"`
		}
		if json.Unmarshal(a.structured, &wrapped) != nil || wrapped.Error.Type == "" {
			_ = json.Unmarshal([]byte(a.text()), &wrapped) // some put it into the text alone
		}
		a.failure = wrapped.Error
	}
	return a
}

// call calls a tool and holds the answer against everything that is demanded of
// any. While the server asks to wait, it does.
func (c *certifier) call(ctx context.Context, t *tool, args map[string]any, info callInfo) answer {
	if info.conversation == "" {
		info.conversation = c.fresh("conversation")
	}
	var a answer
	for attempt := range patience {
		a = readAnswer(t, info.voice, c.send(ctx, callMessage(t.name, args, info)))
		pause := a.pause(attempt)
		if pause == 0 || !c.sleep(ctx, pause) {
			break
		}
		c.waited++
	}
	if !c.stopped {
		c.inspect(a)
	}
	return a
}

// patience is how often a call is repeated because of a rate limit.
const patience = 8

// waitCodes are those of failures that pass: too many calls, or the same operation
// still going on.
const waitCodes = " rate_limited in_progress busy "

// pause is how long the server asks to wait; 0 if it does not.
func (a answer) pause(attempt int) time.Duration {
	const least, most = 250 * time.Millisecond, 3 * time.Second
	var seconds string
	switch {
	case a.status == http.StatusTooManyRequests:
		seconds = a.header.Get("Retry-After")
	case a.failed && a.failure.Type == "SYSTEM" && (a.failure.Details.RetryAfter != "" || strings.Contains(waitCodes, " "+a.failure.Details.Code+" ")):
		seconds = a.failure.Details.RetryAfter.String()
	default:
		return 0
	}
	asked, err := strconv.ParseFloat(seconds, 64)
	if err != nil {
		asked = 0
	}
	return min(max(time.Duration(asked*float64(time.Second)), least<<min(attempt, 3)), most)
}

// sleep waits, and reports whether it was to the end.
func (c *certifier) sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return !c.halted(ctx)
	}
}
