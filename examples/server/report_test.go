package main_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

var jobID = regexp.MustCompile(`"jobId":"([A-Z0-9]{26})"`)

// TestReport: a report is started once for a key, and asked for until it is there. What
// both tools answer in chat and on the phone is what testdata/golden says; the name of
// the job is in no text.
func TestReport(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	tools := catalogueOf(t, g.ask(t, "tools/list"))
	both := func(golden, tool, arguments string) {
		t.Helper()
		answers := map[string]any{}
		for _, channel := range []string{"chat", "voice"} {
			r := g.call(t, tool, arguments, meta(channel, "key-1"))
			if r.IsError || strings.Contains(r.Content[0].Text, "jobId") {
				t.Fatalf("%s = %s, %s", tool, r.Content[0].Text, r.Structured)
			}
			checkSchema(t, tools[slices.IndexFunc(tools, func(d definition) bool { return d.Name == tool })], r.Structured)
			r.Structured = jobID.ReplaceAll(r.Structured, []byte(`"jobId":"7ZTQ4M2XK6N5WBJYH3CREAVDLP"`))
			answers[channel] = said(r)
		}
		compareGolden(t, golden, answers)
	}
	const ana = `{"documento":"CC 1.032.456.789"}`
	both("iniciar_reporte", "iniciar_reporte", ana)
	found := jobID.FindSubmatch(g.call(t, "iniciar_reporte", ana, meta("chat", "key-1")).Structured)
	if found == nil {
		t.Fatal("the start names no job")
	}
	read := fmt.Sprintf(`{"jobId":%q}`, found[1])
	exampletest.Eventually(t, "the report is there", func() bool {
		r := g.call(t, "consultar_reporte", read, `"com.asixto/companyId":"cmp_1"`) // in no conversation: nobody is asked to stop
		return strings.Contains(string(r.Structured), `"status":"done"`)
	})
	both("consultar_reporte", "consultar_reporte", read)

	for name, arguments := range map[string]string{"a job that never was": `{"jobId":"7ZTQ4M2XK6N5WBJYH3CREAVDLP"}`, "a job of another company": read} {
		who := meta("chat", "")
		if arguments == read {
			who = strings.Replace(who, "cmp_1", "cmp_2", 1)
		}
		r := g.call(t, "consultar_reporte", arguments, who)
		wantFailure(t, r, `{"error":{"error_type":"NOT_FOUND","user_message":"No se encontró una solicitud en curso con ese dato.",`+
			`"details":{"code":"job_not_found","field":"jobId"}}}`)
		if t.Failed() {
			t.Log(name)
		}
	}
	unknown := g.call(t, "iniciar_reporte", `{"documento":"404"}`, meta("chat", "key-2"))
	var failure struct {
		Error struct {
			Type string `json:"error_type"`
		}
	}
	if err := json.Unmarshal(unknown.Structured, &failure); err != nil || failure.Error.Type != "NOT_FOUND" {
		t.Errorf("a report of nobody = %s, want NOT_FOUND", unknown.Structured)
	}
}
