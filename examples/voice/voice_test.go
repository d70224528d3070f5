package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// program builds the filter once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "voice")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "voice")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// filter runs the program over an input and returns what it writes.
func filter(t *testing.T, input string, args ...string) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return string(out)
}

func TestText(t *testing.T) {
	t.Parallel()
	const input = "\ufeffSu saldo es $89.900\r\n\r\nsin fin de línea: 21 días"
	const want = "Su saldo es ochenta y nueve mil novecientos pesos\n\nsin fin de línea: veintiún días\n"
	if got := filter(t, input, "-country", "co"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongLines(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("a ", 1<<19) // 1 MiB
	got := filter(t, "{\"id\":1,\"input\":\""+whole+"\"}\n"+`{"id":2,"input":"`+whole[:len(whole)-30]+`"}`+"\n{\"id\":3,\"kind\":\"year\",\"input\":2026}\n", "-jsonl")
	lines := strings.SplitAfter(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("got %d answers, want 3", len(lines))
	}
	if lines[0] != "{\"error\":\"the line is longer than 1048576 bytes\"}\n" {
		t.Errorf("a line above 1 MiB got %.100q", lines[0])
	}
	if !strings.HasPrefix(lines[1], `{"id":2,"got":"a a `) {
		t.Errorf("a line below 1 MiB got %.100q", lines[1])
	}
	if lines[2] != `{"id":3,"got":"dos mil veintiséis"}` {
		t.Errorf("the line behind it got %q", lines[2])
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, question, want string }{
		{"a number beyond 2^53", `{"id":"a","kind":"cardinal_masc","input":9007199254740993}`,
			`{"id":"a","got":"nueve mil siete billones ciento noventa y nueve mil doscientos cincuenta y cuatro millones setecientos cuarenta mil novecientos noventa y tres"}`},
		{"an id that is an object", `{"id":{"n":[1,null]},"kind":"percent","input":"21"}`, `{"id":{"n":[1,null]},"got":"veintiuno por ciento"}`},
		{"no id", `{"kind":"ordinal_fem","input":3}`, `{"got":"tercera"}`},
		{"text is the default", `{"id":1,"input":"Vea https://a.example/b, ya","options":{"country":"MX"}}`,
			`{"id":1,"got":"Vea el enlace, ya","removed":[{"kind":"url","text":"https://a.example/b","start":4,"end":23}]}`},
		{"empty answers are answers", `{"id":1,"input":""}`, `{"id":1,"got":""}`},
		{"a refusal", `{"id":1,"kind":"invalid","input":"2026-02-30","options":{"as":"date"}}`, `{"id":1,"error":`},
		{"not JSON", `{"id":1,`, `{"error":"not a question: `},
		{"an option of the wrong type", `{"id":7,"kind":"date","input":"2026-09-03","options":{"year":"yes"}}`, `{"id":7,"error":"not a question: `},
		{"an unknown kind", `{"id":1,"kind":"song","input":"x"}`, `{"id":1,"error":"kind \"song\" is not known"}`},
		{"an unknown country", `{"id":1,"input":"x","options":{"country":"XX"}}`, `{"id":1,"error":`},
		{"an unknown zone", `{"id":1,"kind":"date","input":"2026-09-03","options":{"tz":"../../etc/passwd"}}`, `{"id":1,"error":`},
		{"no input", `{"id":1,"kind":"date"}`, `{"id":1,"error":"there is no input"}`},
		{"an input of the wrong type", `{"id":1,"kind":"date","input":["2026-09-03"]}`, `{"id":1,"error":"the input is neither a string nor a number"}`},
	}
	var questions strings.Builder
	questions.WriteString("\ufeff")
	for _, tt := range tests {
		questions.WriteString(tt.question + "\r\n\r\n") // blank lines get no answer
	}
	answers := strings.Split(strings.TrimSuffix(filter(t, questions.String(), "-jsonl"), "\n"), "\n")
	if len(answers) != len(tests) {
		t.Fatalf("got %d answers, want %d:\n%s", len(answers), len(tests), strings.Join(answers, "\n"))
	}
	for i, tt := range tests {
		if got := answers[i]; got != tt.want && (strings.HasSuffix(tt.want, "}") || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestVectors asks every reference vector, one after the other, and waits for
// each answer before it sends the next question.
func TestVectors(t *testing.T) {
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := os.ReadFile(filepath.Join("..", "..", "voice", "testdata", "vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "-jsonl")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(stdout)
	asked := 0
	for line := range bytes.Lines(vectors) {
		var v struct {
			Kind string
			Want []string
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		if _, err := stdin.Write(line); err != nil {
			t.Fatal(err)
		}
		answer, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if asked++; !fits(v.Kind, v.Want, answer) {
			t.Errorf("%s got %s", line, answer)
		}
	}
	if asked == 0 {
		t.Error("there are no vectors")
	}
	if err := stdin.Close(); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(answers); err != nil || len(rest) != 0 {
		t.Errorf("after the last answer: %q, %v", rest, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// fits compares as the vectors ask: runs of white space count once, and commas
// of digits are pauses.
func fits(kind string, want []string, answer []byte) bool {
	var a struct {
		Got   *string
		Error string
	}
	if json.Unmarshal(answer, &a) != nil {
		return false
	}
	if want[0] == "<error>" {
		return a.Got == nil && a.Error != ""
	}
	normal := func(s string) string {
		if kind == "phone" || kind == "digits" {
			s = strings.ReplaceAll(s, ",", "")
		}
		return strings.Join(strings.Fields(s), " ")
	}
	return a.Got != nil && slices.ContainsFunc(want, func(w string) bool { return normal(w) == normal(*a.Got) })
}

func TestBadUse(t *testing.T) {
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"country": {"-country", "XX"}, "flag": {"-loud"}, "argument": {"Su saldo"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
			if err == nil || len(out) == 0 {
				t.Errorf("got %v with %q, want a failure that says why", err, out)
			}
		})
	}
}
