package voice_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// A sentence is written as soon as the next one begins, a line when it ends.
func TestWriterIsPrompt(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := voice.CO.NewWriter(&out)
	for _, step := range []struct{ write, want string }{
		{"Su saldo es $89", ""},
		{".900. ", ""},
		{"V", "Su saldo es ochenta y nueve mil novecientos pesos."},
		{"ence el 3/9/2026 a las 3 p. m. \nAdi", "Su saldo es ochenta y nueve mil novecientos pesos. Vence el tres de septiembre de dos mil veintiséis a las tres de la tarde."},
	} {
		if _, err := w.WriteString(step.write); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != step.want {
			t.Errorf("after %q it has written %q, want %q", step.write, got, step.want)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasSuffix(got, " de la tarde.\nAdi") {
		t.Errorf("at the end it has written %q", got)
	}
}

func TestWriterFlush(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := voice.CO.NewWriter(&out)
	for _, text := range []string{"Hola. Van 2", "3 pesos", "\n\n- uno", ""} {
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := out.String(), "Hola. Van dos\ntres pesos\nuno."; got != want {
		t.Errorf("Writer = %q, want %q", got, want)
	}
}

// failing fails at the second write.
type failing struct{ writes int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.writes++; f.writes > 1 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriterErrors(t *testing.T) {
	t.Parallel()
	w := voice.CO.NewWriter(&failing{})
	if _, err := w.WriteString("uno\n"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := w.WriteString("dos\n"); !errors.Is(err, errFull) {
			t.Errorf("WriteString = %v, want %v", err, errFull)
		}
	}
	if err := w.Flush(); !errors.Is(err, errFull) {
		t.Errorf("Flush = %v, want %v", err, errFull)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close = %v, want %v", err, errFull)
	}

	var out bytes.Buffer
	w = voice.CO.NewWriter(&out)
	for range 2 {
		if err := w.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	if _, err := w.WriteString("tarde"); err == nil || out.Len() > 0 {
		t.Errorf("a closed Writer took a text: %v", err)
	}
}

func TestWriterRemoved(t *testing.T) {
	t.Parallel()
	const text = "Vea https://ejemplo.com/á.\n```\ncódigo\n```\nadiós a@ejemplo.com"
	var out bytes.Buffer
	w := voice.CO.NewWriter(&out)
	var got []voice.Piece
	for i := range len(text) {
		if _, err := w.Write([]byte{text[i]}); err != nil {
			t.Fatal(err)
		}
		got = append(got, w.Removed()...)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got = append(got, w.Removed()...)
	want := []string{"https://ejemplo.com/á", "código", "a@ejemplo.com"}
	if len(got) != len(want) {
		t.Fatalf("removed %+v", got)
	}
	for i, p := range got {
		if p.Text != want[i] || text[p.Start:p.End] != p.Text {
			t.Errorf("removed %+v, want %q", p, want[i])
		}
	}
}

// A text without the end of a sentence is held back no longer than documented.
func TestWriterHoldsBackLittle(t *testing.T) {
	t.Parallel()
	const most = 4096
	for _, word := range []string{"palabra ", "palabras-sin-blancos", "ñ", "[", "<a ", "12 ", "\"", "😀"} {
		var out bytes.Buffer
		w := voice.CO.NewWriter(&out)
		text := strings.Repeat(word, 4*most/len(word))
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
		whole := voice.CO.Text(text)
		if held := len(whole) - out.Len(); held > 20*most {
			t.Errorf("%q: %d bytes of %d are held back", word, held, len(whole))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != whole {
			t.Errorf("%q: the Writer says %d bytes, Text %d", word, len(got), len(whole))
		}
	}
}
