package main

import (
	"net/http"
	"testing"
)

// enveloped makes a server of Whaapy's out of the shop: the envelope in the
// text, and -32602 for arguments that break the schema.
func enveloped(next http.Handler) http.Handler {
	return after(func(x *exchange) {
		tool := x.tool()
		if tool == "" || x.res()["content"] == nil {
			return
		}
		kind := x.failure()["error_type"]
		if kind == "VALIDATION" {
			x.fault(http.StatusOK, codeInvalidParams)
			x.answer["error"].(map[string]any)["data"] = map[string]any{"field": "codigo"}
			return
		}
		envelope := map[string]any{"ok": true, "status": "success", "toolName": tool, "data": x.data(), "errors": []any{}}
		if x.failed() {
			envelope["ok"], envelope["status"] = false, "failed"
			envelope["errors"] = []any{map[string]any{"code": kind, "message": x.failure()["user_message"]}}
		}
		x.say(string(mustJSON(envelope)))
	})(next)
}

// brokenEnvelopes are servers of Whaapy's.
func brokenEnvelopes() map[string]brokenServer {
	envelope := func(change func(x *exchange, e map[string]any)) breakage {
		return after(func(x *exchange) {
			content, _ := x.res()["content"].([]any)
			if len(content) == 0 {
				return
			}
			var e map[string]any
			if decode([]byte(content[0].(map[string]any)["text"].(string)), &e) == nil {
				change(x, e)
				x.say(string(mustJSON(e)))
			}
		})
	}
	return map[string]brokenServer{
		"envelope-shape": {whaapy: true, inner: envelope(func(x *exchange, e map[string]any) {
			if x.success() {
				e["status"] = "done"
			}
		})},
		"envelope-failure": {whaapy: true, inner: envelope(func(x *exchange, e map[string]any) {
			if x.failed() {
				e["errors"] = []any{}
			}
		})},
		"envelope-arguments": {whaapy: true, inner: after(func(x *exchange) { delete(objectOf(x.answer, "error"), "data") })},
	}
}

// TestWhaapy runs in the era before, as Whaapy does.
func TestWhaapy(t *testing.T) {
	t.Parallel()
	r := certifyAt(t, serve(t, protect(t, enveloped(new(shop).handler(t)))), "-token", secret, "-profile", "whaapy", "-allow-writes", "all", "-json")
	got := decodeReport(t, r.stdout)
	if r.code != exitClean || got.Protocol != legacy || !got.Complete {
		t.Errorf("exit code %d in %s, complete %t, want 0 in %s and true", r.code, got.Protocol, got.Complete, legacy)
	}
	for _, f := range got.Report.Findings {
		if f.Rule != "whaapy-sections" {
			t.Errorf("finding %+v", f)
		}
	}
}
