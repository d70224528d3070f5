package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme makes the call of which both READMEs print both answers, in their order, and
// compares: letter by letter, but for the time.
func TestReadme(t *testing.T) {
	t.Parallel()
	p := start(t)
	answers := [2]string{printed(t, asixtoCall(t, p.asixto, "crear_caso", openCase, ""))}
	status, _, answer := connect(t, p.whaapy).send(t, http.MethodPost, callTimeout, callOf("crear_caso", openCase, ""))
	if status != http.StatusOK {
		t.Fatalf("Whaapy = %d %s", status, answer)
	}
	answers[1] = printed(t, answer)

	for file, heading := range map[string]string{
		"README.md": "## One handler, two gateways", "README.es.md": "## Un handler, dos gateways",
	} {
		for i, got := range jsonUnder(t, file, heading) {
			if want := timeless(answers[i]); timeless(got) != want {
				t.Errorf("%s, answer %d\nhas    %s\nis now %s", file, i+1, timeless(got), want)
			}
		}
	}
}

// printed is what the READMEs print of an answer: the result, without what the protocol
// of 2026-07-28 adds to every one.
func printed(t *testing.T, answer string) string {
	t.Helper()
	var message struct{ Result map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(answer), &message); err != nil {
		t.Fatal(err)
	}
	content, data := message.Result["content"], message.Result["structuredContent"]
	for _, known := range []string{"content", "structuredContent", "_meta", "resultType"} {
		delete(message.Result, known)
	}
	if len(message.Result) > 0 || len(content) == 0 || len(data) == 0 {
		t.Fatalf("the answer is %s, want a result with text and data, and nothing else", answer)
	}
	return `{"content":` + string(content) + `,"structuredContent":` + string(data) + `}`
}

// timeless replaces what is another each time, also within a string of JSON.
func timeless(answer string) string {
	return regexp.MustCompile(`(durationMs\\?":)\d+|(fecha\\?":\\?")[^"\\]*`).ReplaceAllString(answer, "${1}${2}0")
}

// jsonUnder returns the two blocks of JSON in a section.
func jsonUnder(t *testing.T, file, heading string) [2]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", file))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(raw), "\n"+heading+"\n")
	if !found {
		t.Fatalf("%s has no section %q", file, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?s)```json\n(.*?)\n```").FindAllStringSubmatch(section, -1)
	if len(blocks) != 2 {
		t.Fatalf("the section of %s has %d blocks of JSON, want the two answers", file, len(blocks))
	}
	return [2]string{blocks[0][1], blocks[1][1]}
}
