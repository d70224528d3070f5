package voice_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/voice"
)

// checkText holds what Text promises for every text.
func checkText(t *testing.T, s *voice.Speaker, text string) {
	t.Helper()
	got := s.Text(text)
	if problem := textProblem(got); problem != "" {
		t.Errorf("Text(%q) = %q: %s", text, got, problem)
	}
	if again := s.Text(got); again != got {
		t.Errorf("Text(%q)\n  is %q\ntwice %q", text, got, again)
	}
	if appended := s.AppendText([]byte("antes "), text); string(appended) != "antes "+got {
		t.Errorf("AppendText(%q) = %q, Text = %q", text, appended, got)
	}
	clean := s.Clean(text)
	if clean.Text != got {
		t.Errorf("Clean(%q).Text = %q, Text = %q", text, clean.Text, got)
	}
	start := 0
	for _, p := range clean.Removed {
		if p.Start < start || p.End > len(text) || p.Start >= p.End || text[p.Start:p.End] != p.Text {
			t.Errorf("Clean(%q) removed %+v", text, p)
			continue
		}
		start = p.Start
	}
}

// textProblem says what must not be in a text for the ear.
func textProblem(text string) string {
	if !utf8.ValidString(text) {
		return "invalid UTF-8"
	}
	if i := strings.IndexAny(text, "0123456789<>*_`~|#[]{}\\^\t\r&"); i >= 0 {
		return "a sign is left: " + text[i:i+1]
	}
	for _, r := range text {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.So, r) && r != '°' {
			return "cannot be heard: " + string(r)
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if text != "" && strings.TrimSpace(line) != line || text != "" && line == "" || strings.Contains(line, "  ") {
			return "blanks"
		}
	}
	return ""
}

// checkWriter holds that fragments say what the whole says.
func checkWriter(t *testing.T, s *voice.Speaker, text string, cuts func(left int) int) {
	t.Helper()
	var out bytes.Buffer
	w := s.NewWriter(&out)
	var removed []voice.Piece
	for rest := []byte(text); len(rest) > 0; {
		n := min(max(cuts(len(rest)), 1), len(rest))
		if _, err := w.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		removed = append(removed, w.Removed()...)
		rest = rest[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	removed = append(removed, w.Removed()...)
	want := s.Clean(text)
	if out.String() != want.Text {
		t.Errorf("%q in fragments\n  is %q\nwhole %q", text, out.String(), want.Text)
	}
	if len(removed) != len(want.Removed) {
		t.Errorf("%q in fragments removes %+v, whole %+v", text, removed, want.Removed)
		return
	}
	for i := range removed {
		if removed[i] != want.Removed[i] {
			t.Errorf("%q in fragments removes %+v, whole %+v", text, removed[i], want.Removed[i])
		}
	}
}

// scraps are what generated texts are made of.
var scraps = []string{
	"hola", "Gracias", "factura", "facturas", "días", "código", "PIN", "NIT", "cédula", "llame al", "siglo", "siglos", "Cra.", "Av.", "No.", "Sr.",
	"S.A.S.", "EPS", "IVA", "XXI", "V", "p. m.", "a. m.", "a las", "la", "las", "el", "de", "del", "y", "o", "mil", "millones", "pesos", "USD", "COP",
	"$", "€", "%", "°C", "km/h", "GB", "mes", "enero", "lunes", "etc.", "S/", "US$", "#", "@ana", "ana@x.com", "https://x.com/a_b?c=1", "www.x.co", "/var/log/x",
	"a.pdf", "x.com", "550e8400-e29b-41d4-a716-446655440000", "d41d8cd98f00b204e9800998ecf8427e",
	"1", "21", "3", "12", "100", "300", "4821", "007", "2026", "1.234", "1,5", "1.234.567,89", "3001234567", "300 123 4567", "03/09/2026", "2026-09-03",
	"15:00", "3:30", "9:00", "1/2", "120/80", "10-12", "1.er", "2.ª", "3º", "5to", "1°", "2x1", "A1", "ABC123", "B12", "4G", "mp3",
	" ", "  ", "\n", "\n\n", "\t", "-", " - ", "–", "—", "+", "=", "/", "\\", ".", "..", "...", "…", ",", ";", ":", "!", "!!", "?", "¿", "¡", "(", ")", "\"",
	"**", "*", "_", "__", "~~", "`", "```", "\n```\n", "\n# ", "\n- ", "\n1. ", "\n> ", "\n| a | b |\n|---|---|\n| 1 | 2 |\n", "|", "[", "](", "](x.com)", ")", "]", "{", "}", "^", "~",
	"<b>", "</b>", "<br>", "<li>", "</li>", "<", ">", "<a href='x.com'>", "<break time=\"1s\"/>", "<spell>", "</spell>", "&amp;", "&lt;", "&gt;", "&nbsp;", "&#48;", "&",
	"😀", "👨‍👩‍👧", "1️⃣", "✅", "•", "→", "½", "²", "×", "\u00ad", "\u200b", "\u00a0", "\u202f", "e\u0301", "n\u0303", "\u0301", "\xff", "\xc3", "ñ", "É", "ábc", "日本", "****", "XXXX",
}

// generated returns a text of scraps.
func generated(r *rand.Rand) string {
	var text strings.Builder
	for range 1 + r.IntN(12) {
		text.WriteString(scraps[r.IntN(len(scraps))])
		if r.IntN(3) > 0 {
			text.WriteByte(' ')
		}
	}
	return text.String()
}

func textSpeakers() []*voice.Speaker {
	return []*voice.Speaker{voice.With(), voice.CO.With(), voice.MX.With(), voice.AR.With(), voice.ES.With()}
}

func TestTextProperties(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	speakers := textSpeakers()
	for range 20_000 {
		text := generated(r)
		s := speakers[r.IntN(len(speakers))]
		checkText(t, s, text)
		checkWriter(t, s, text, func(int) int { return 1 + r.IntN(4) })
		if t.Failed() {
			return
		}
	}
}
