package call_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
)

// sent is what a gateway sends with one call.
const sent = `{
	"com.asixto/idempotencyKey": "9f2a7c",
	"com.asixto/conversationId": "cnv_77b",
	"com.asixto/requestId": "req_c41",
	"com.asixto/channel": "voice",
	"com.asixto/companyId": "cmp_31a",
	"com.asixto/priceListId": "pl_mayorista",
	"com.asixto/currency": "COP",
	"com.asixto/timezone": "America/Bogota",
	"io.modelcontextprotocol/protocolVersion": "2026-07-28"
}`

var full = call.Meta{
	IdempotencyKey: "9f2a7c", ConversationID: "cnv_77b", RequestID: "req_c41", Channel: call.Voice,
	CompanyID: "cmp_31a", PriceListID: "pl_mayorista", Currency: "COP", Timezone: "America/Bogota",
}

func decode(tb testing.TB, text string) map[string]any {
	tb.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		tb.Fatalf("decode %s: %v", text, err)
	}
	return fields
}

func TestKeysRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 256)
	for name, tc := range map[string]struct {
		keys call.Keys
		text string
		want call.Meta
	}{
		"everything":         {text: sent, want: full},
		"other prefix":       {keys: call.WithPrefix("com.example/"), text: strings.ReplaceAll(sent, "com.asixto/", "com.example/"), want: full},
		"default is not two": {keys: call.WithPrefix("com.example/"), text: sent},
		"one name changed": {
			keys: call.Keys{CompanyID: "tenant"},
			text: `{"tenant":"t1","com.asixto/companyId":"t2","com.asixto/currency":"COP"}`,
			want: call.Meta{CompanyID: "t1", Currency: "COP"},
		},
		"null object":       {text: `null`},
		"empty":             {text: `{}`},
		"null values":       {text: `{"com.asixto/priceListId":null,"com.asixto/requestId":null,"com.asixto/channel":null}`},
		"wrong types":       {text: `{"com.asixto/requestId":5,"com.asixto/companyId":["a"],"com.asixto/currency":{"a":1},"com.asixto/timezone":true}`},
		"names are exact":   {text: `{"COM.ASIXTO/requestid":"req_1"}`},
		"unknown channel":   {text: `{"com.asixto/channel":"Voice"}`},
		"chat":              {text: `{"com.asixto/channel":"chat"}`, want: call.Meta{Channel: call.Chat}},
		"surrounding space": {text: `{"com.asixto/requestId":"  req_1\n"}`, want: call.Meta{RequestID: "req_1"}},
		"too long":          {text: `{"com.asixto/requestId":"` + long + `"}`},
		"longest":           {text: `{"com.asixto/requestId":"` + long[:255] + `"}`, want: call.Meta{RequestID: long[:255]}},
		"a second log line": {text: `{"com.asixto/requestId":"a\nlevel=error"}`},
		"NUL":               {text: `{"com.asixto/requestId":"a\u0000b"}`},
		"line separator":    {text: `{"com.asixto/requestId":"a\u2028b"}`},
		"direction mark":    {text: `{"com.asixto/requestId":"a\u202eb"}`},
		"accents are text":  {text: `{"com.asixto/companyId":"compañía"}`, want: call.Meta{CompanyID: "compañía"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.keys.Read(decode(t, tc.text)); got != tc.want {
				t.Errorf("Read(%s) = %+v, want %+v", tc.text, got, tc.want)
			}
		})
	}
}

func TestKeysReadIdempotencyKey(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		value      string
		want       string
		wantReason string
	}{
		"absent":        {value: `null`},
		"kept as sent":  {value: `" a\tb "`, want: " a\tb "},
		"longest":       {value: `"` + strings.Repeat("k", call.MaxKeyBytes) + `"`, want: strings.Repeat("k", call.MaxKeyBytes)},
		"too long":      {value: `"` + strings.Repeat("k", call.MaxKeyBytes+1) + `"`, wantReason: "too_long"},
		"bytes count":   {value: `"` + strings.Repeat("ñ", 128) + `"`, wantReason: "too_long"},
		"empty":         {value: `""`, wantReason: "blank"},
		"blank":         {value: `" \n\t"`, wantReason: "blank"},
		"number":        {value: `42`, wantReason: "not_a_string"},
		"boolean":       {value: `false`, wantReason: "not_a_string"},
		"object":        {value: `{"key":"a"}`, wantReason: "not_a_string"},
		"list":          {value: `["a"]`, wantReason: "not_a_string"},
		"zero is a key": {value: `"0"`, want: "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := call.Keys{}.Read(decode(t, `{"com.asixto/idempotencyKey":`+tc.value+`}`))
			if m.IdempotencyKey != tc.want {
				t.Errorf("IdempotencyKey = %q, want %q", m.IdempotencyKey, tc.want)
			}
			switch {
			case tc.wantReason == "" && m.KeyError != nil:
				t.Errorf("KeyError = %v, want none", m.KeyError)
			case tc.wantReason != "" && (m.KeyError == nil || m.KeyError.Reason != tc.wantReason):
				t.Errorf("KeyError = %v, want reason %q", m.KeyError, tc.wantReason)
			}
		})
	}
}

func TestKeyErrorText(t *testing.T) {
	t.Parallel()
	if got, want := (&call.KeyError{Reason: "blank"}).Error(), "unusable idempotency key: blank"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

func TestMetaContext(t *testing.T) {
	t.Parallel()
	if got := call.MetaFrom(context.Background()); got != (call.Meta{}) {
		t.Errorf("MetaFrom of an empty context = %+v, want zero", got)
	}
	if got := call.MetaFrom(call.WithMeta(context.Background(), full)); got != full {
		t.Errorf("MetaFrom = %+v, want %+v", got, full)
	}
}

func BenchmarkKeysRead(b *testing.B) {
	fields := decode(b, sent)
	b.ReportAllocs()
	for b.Loop() {
		if m := (call.Keys{}).Read(fields); m.RequestID == "" {
			b.Fatal("no request id read")
		}
	}
}

func FuzzKeysRead(f *testing.F) {
	f.Add(sent)
	f.Add(`{"com.asixto/idempotencyKey":7,"com.asixto/requestId":"a\u0085b"}`)
	f.Fuzz(func(t *testing.T, text string) {
		var fields map[string]any
		if json.Unmarshal([]byte(text), &fields) != nil {
			return
		}
		m := call.Keys{}.Read(fields)
		for _, s := range []string{m.ConversationID, m.RequestID, m.CompanyID, m.PriceListID, m.Currency, m.Timezone} {
			if len(s) > 255 || strings.ContainsAny(s, "\x00\r\n\u0085\u2028\u2029") || s != strings.TrimSpace(s) {
				t.Errorf("a value that can forge a line was kept: %q", s)
			}
		}
		if m.KeyError != nil && m.IdempotencyKey != "" {
			t.Errorf("key %q kept beside %v", m.IdempotencyKey, m.KeyError)
		}
		if len(m.IdempotencyKey) > call.MaxKeyBytes {
			t.Errorf("key of %d bytes kept", len(m.IdempotencyKey))
		}
	})
}
