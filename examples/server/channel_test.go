package main_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/voice"
)

// updating reports whether -update is given, a flag that the tests inside of the
// package define.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// meta is what the gateway says beside the arguments of a call.
func meta(channel, key string) string {
	m := `"com.asixto/conversationId":"cnv_1","com.asixto/companyId":"cmp_1","com.asixto/requestId":"req_1",` +
		`"com.asixto/currency":"COP","com.asixto/timezone":"America/Bogota","com.asixto/channel":"` + channel + `"`
	if key != "" {
		m += `,"com.asixto/idempotencyKey":"` + key + `"`
	}
	return m
}

// TestChannels: what each tool answers in chat and on the phone, and what each
// failure does, is what testdata/golden says. The data are the same ones: on the
// phone lists are shorter, and some have their words beside them. Writes have a
// key, so that what comes on the phone is a replay.
func TestChannels(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		tool, arguments string
		env             []string
		before          int // calls that come first
		failed          bool
	}{
		"consultar_cliente":      {tool: "consultar_cliente", arguments: `{"documento":"CC 1.032.456.789"}`},
		"buscar_items":           {tool: "buscar_items", arguments: `{"texto":"plan","limit":5,"offset":null}`},
		"buscar_items_siguiente": {tool: "buscar_items", arguments: `{"texto":"gamer","limit":1,"offset":1}`},
		"buscar_items_nada":      {tool: "buscar_items", arguments: `{"texto":"helicóptero"}`},
		"consultar_agenda":       {tool: "consultar_agenda", arguments: `{"documento":"1032456789"}`},
		"abrir_caso_soporte": {tool: "abrir_caso_soporte",
			arguments: `{"documento":"1032456789","tipo":"falla","descripcion":"No hay internet desde anoche","prioridad":null}`},
		"actualizar_cliente": {tool: "actualizar_cliente",
			arguments: `{"documento":"1032456789","dato":"direccion","valor":"Calle 45 # 12-30, Bogotá"}`},
		"cancelar_cita": {tool: "cancelar_cita", arguments: `{"documento":"1032456789","cita":"v-1042"}`},

		"falla_no_existe":      {tool: "consultar_cliente", arguments: `{"documento":"404"}`, failed: true},
		"falla_argumentos":     {tool: "buscar_items", arguments: `{"texto":7,"limit":100,"ofset":0}`, failed: true},
		"falla_cita_ajena":     {tool: "cancelar_cita", arguments: `{"documento":"1032456789","cita":"V-1051"}`, failed: true},
		"falla_estado_final":   {tool: "cancelar_cita", arguments: `{"documento":"1032456789","cita":"V-1007"}`, failed: true},
		"falla_otra_empresa":   {tool: "consultar_cliente", arguments: `{"documento":"1032456789"}`, failed: true, env: []string{"TOKENS=asixto@cmp_2=" + secret}},
		"falla_demasiado":      {tool: "consultar_cliente", arguments: `{"documento":"1032456789"}`, failed: true, env: []string{"RATE_LIMIT=5m,4"}, before: 1},
		"falla_llamada_igual":  {tool: "consultar_agenda", arguments: `{"documento":"1032456789"}`, failed: true, before: 5},
		"falla_telefono_corto": {tool: "actualizar_cliente", arguments: `{"documento":"1032456789","dato":"telefono","valor":"12345"}`, failed: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gateway{start(t, tt.env...).mcp, secret}
			for range tt.before {
				g.call(t, tt.tool, tt.arguments, meta("chat", ""))
			}
			chat := g.call(t, tt.tool, tt.arguments, meta("chat", "key-1"))
			phone := g.call(t, tt.tool, tt.arguments, meta("voice", "key-1"))
			if chat.IsError != tt.failed || phone.IsError != tt.failed {
				t.Fatalf("failed = %v in chat and %v on the phone, want %v", chat.IsError, phone.IsError, tt.failed)
			}
			if tt.failed {
				const later = `"retry_after_seconds":1200`
				failure := wait.ReplaceAll(chat.Structured, []byte(later))
				for _, r := range []result{chat, phone} {
					r.Structured = wait.ReplaceAll(r.Structured, []byte(later))
					r.Content[0].Text = wait.ReplaceAllString(r.Content[0].Text, later)
					wantFailure(t, r, string(failure))
				}
				compareGolden(t, name, map[string]any{"arguments": json.RawMessage(tt.arguments), "failure": json.RawMessage(failure)})
				return
			}
			tools := catalogueOf(t, g.ask(t, "tools/list"))
			tool := tools[slices.IndexFunc(tools, func(d definition) bool { return d.Name == tt.tool })]
			checkSchema(t, tool, chat.Structured)
			checkSchema(t, tool, phone.Structured)
			sameData(t, "", decoded(t, chat.Structured), decoded(t, phone.Structured))
			compareGolden(t, name, map[string]any{"arguments": json.RawMessage(tt.arguments), "chat": said(chat), "voice": said(phone)})
		})
	}
}

func decoded(t *testing.T, raw json.RawMessage) (value any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return value
}

// sameData checks that what is heard holds every value of what is read, as it is;
// of a list the first three, of a page the limit that goes with it. New is only
// what ends in _texto, and every date and price has one.
func sameData(t *testing.T, path string, read, heard any) {
	t.Helper()
	switch read := read.(type) {
	case map[string]any:
		heard, ok := heard.(map[string]any)
		if !ok {
			t.Errorf("%s is no object on the phone", path)
		}
		for name, value := range read {
			if name == "limit" {
				value = json.Number(strconv.Itoa(min(voiceLimit, number(t, value))))
			}
			sameData(t, path+"/"+name, value, heard[name])
		}
		for name := range heard {
			if _, ok := read[name]; !ok && !strings.HasSuffix(name, "_texto") {
				t.Errorf("%s/%s is there only on the phone", path, name)
			}
			words, _ := heard[name+"_texto"].(string)
			if (name == "precio" || name == "fecha" || name == "plazo") && (words == "" || strings.ContainsAny(words, "0123456789")) {
				t.Errorf("%s/%s is said as %q, want words", path, name, words)
			}
		}
	case []any:
		heard, ok := heard.([]any)
		if !ok || len(heard) != min(voiceLimit, len(read)) {
			t.Errorf("%s has %d elements on the phone and %d in chat", path, len(heard), len(read))
			return
		}
		for i := range heard {
			sameData(t, path+"/*", read[i], heard[i])
		}
	default:
		if read != heard {
			t.Errorf("%s is %v on the phone and %v in chat", path, heard, read)
		}
	}
}

const voiceLimit = 3

func number(t *testing.T, value any) int {
	t.Helper()
	n, err := strconv.Atoi(fmt.Sprint(value))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// said is what a golden file keeps of a success.
func said(r result) any {
	return struct {
		Content string          `json:"content"`
		Data    json.RawMessage `json:"structuredContent"`
	}{r.Content[0].Text, r.Structured}
}

// compareGolden compares with the file of that name.
func compareGolden(t *testing.T, name string, value any) {
	t.Helper()
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	file, stable := filepath.Join("testdata", "golden", name+".json"), stableDates(t, got.String())
	if updating() {
		if err := os.WriteFile(file, []byte(stable), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if stable != string(want) {
		t.Errorf("got %s\nwant %s", stable, want)
	}
}

var (
	dateTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-05:00`)
	wait     = regexp.MustCompile(`"retry_after_seconds":\d+`) // some of it goes by between two calls
)

// stableDates replaces dates, which are counted from today, and their words: the
// first by 3 September 2026 at nine, each other one by 25 hours later. Words that
// are not those of a date stay, and differ tomorrow.
func stableDates(t *testing.T, text string) string {
	t.Helper()
	day := time.Date(2026, time.September, 3, 9, 0, 0, 0, time.FixedZone("", -5*60*60))
	var replacements []string
	seen := map[string]bool{}
	for _, written := range dateTime.FindAllString(text, -1) {
		if seen[written] {
			continue
		}
		seen[written] = true
		date, err := time.Parse(time.RFC3339, written)
		if err != nil {
			t.Fatal(err)
		}
		replacements = append(replacements, written, day.Format(time.RFC3339), voice.CO.DateTime(date), voice.CO.DateTime(day))
		day = day.Add(25 * time.Hour)
	}
	return strings.NewReplacer(replacements...).Replace(text)
}

// TestReplayInAnotherChannel: the first answer of a write is given again in the
// form of the channel that asks again.
func TestReplayInAnotherChannel(t *testing.T) {
	t.Parallel()
	for _, channels := range [][3]string{{"chat", "voice", "chat"}, {"voice", "chat", "voice"}} {
		t.Run(channels[0], func(t *testing.T) {
			t.Parallel()
			g := gateway{start(t).mcp, secret}
			answers := map[string]result{}
			for _, channel := range channels {
				r := g.call(t, "abrir_caso_soporte", report, meta(channel, "key-1"))
				if before, asked := answers[channel]; asked && (r.Content[0].Text != before.Content[0].Text || !bytes.Equal(r.Structured, before.Structured)) {
					t.Errorf("%s: got %+v, and then %+v", channel, before, r)
				}
				answers[channel] = r
				if !strings.Contains(string(r.Structured), `"radicado":"R-2001"`) {
					t.Errorf("%s: got %s, want the first case", channel, r.Structured)
				}
			}
			for channel, number := range map[string]string{"chat": "R-2001", "voice": "erre, dos cero "} {
				if text := answers[channel].Content[0].Text; !strings.HasPrefix(text, "El caso quedó abierto con el radicado "+number) {
					t.Errorf("%s: %q, want the number as %q", channel, text, number)
				}
			}
			if r := g.call(t, "consultar_cliente", `{"documento":"1032456789"}`, ""); !strings.Contains(string(r.Structured), `"casos_abiertos":1`) {
				t.Errorf("client = %s, want one case", r.Structured)
			}
		})
	}
}
