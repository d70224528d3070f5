package voice_test

import (
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

func TestTextOptions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		options    []voice.Option
		text, want string
	}{
		{"a word", []voice.Option{voice.Say("Wi-Fi", "guaifai")}, "El Wi-Fi, ¿y el Wi-Fi2?", "El guaifai, ¿y el guaifai dos?"},
		{"capitals count", []voice.Option{voice.Say("US", "u ese")}, "US us", "u ese us"},
		{"several words", []voice.Option{voice.Say("Claro", "claro"), voice.Say("Claro Video", "claro vídeo")}, "Claro Video o Claro", "claro vídeo o claro"},
		{"signs", []voice.Option{voice.Say("C#", "ce sharp"), voice.Say("Disney+", "disney plus")}, "C# y Disney+.", "ce sharp y disney plus."},
		{"before every rule", []voice.Option{voice.Say("EPS", "la entidad"), voice.Say("24/7", "siempre")}, "EPS 24/7", "la entidad siempre"},
		{"the last one counts", []voice.Option{voice.Say("EPS", "uno"), voice.Say("EPS", "dos")}, "EPS", "dos"},
		{"nothing", []voice.Option{voice.Say("", "x"), voice.Say("umm", "")}, "Hola umm, sí", "Hola, sí"},
		{"bridged after a preposition", nil, "Escriba a a@x.com.", "Escriba al correo."},
		{"bridged after a verb", nil, "Para pagar, visite https://x.com. Abra factura.pdf", "Para pagar, visite el enlace. Abra el archivo"},
		{"left out after a noun", nil, "Su visita https://x.com quedó lista.", "Su visita quedó lista."},
		{"joined to what follows", nil, "Detalles: https://x.com o el correo a@x.com", "Detalles: el enlace o el correo"},
		{"joined after a comma", nil, "Detalles: https://x.com, o el portal", "Detalles: el enlace, o el portal"},
		{"joined at the beginning", nil, "https://x.com y la factura. a@x.com o la sede", "el enlace y la factura. el correo o la sede"},
		{"joined in parentheses", nil, "Pague en línea (https://x.com o la app)", "Pague en línea (el enlace o la app)"},
		{"joined in a list", nil, "Detalles: https://x.com, a@x.com y @clinica", "Detalles: el correo y la cuenta"},
		{"joined to a noun", nil, "Pague en línea https://x.com o en la sede", "Pague en línea o en la sede"},
		{"joined to nothing", nil, "Detalles: https://x.com o", "Detalles: o"},
		{"two of a kind", nil, "Consulte https://x.com o https://y.com. Escriba a a@x.com y b@x.com", "Consulte el enlace. Escriba al correo"},
		{"two of a kind alone", nil, "https://x.com y https://y.com", "el enlace"},
		{"two of two kinds", nil, "Vea https://x.com o a.pdf", "Vea el enlace o el archivo"},
		{"the shortest account", nil, "Gracias @AA !", "Gracias!"},
		{"an account in markup", nil, "Gracias @*AA*", "Gracias"},
		{"a program's file with a number inside", nil, "Abra A00a.js", "Abra el archivo"},
		{"a product like a file", nil, "Usamos Node.js", "Usamos Node.js"},
		{"omitted", []voice.Option{voice.Omit()}, "Vea en https://x.com o a@x.com.", "Vea en o."},
		{"one kind omitted", []voice.Option{voice.Omit(voice.PieceURL)}, "Vea en https://x.com o a a@x.com.", "Vea en o al correo."},
		{"replaced", []voice.Option{voice.Replace("el enlace que le envié", voice.PieceURL)}, "Vaya a https://x.com. Es de https://y.com.", "Vaya al enlace que le envié. Es del enlace que le envié."},
		{"a phrase with a number", []voice.Option{voice.Replace("enlace 1", voice.PieceURL)}, "Vea https://x.com", "Vea enlace uno"},
		{"spelled", []voice.Option{voice.SpellOut()}, "https://www.ejemplo.com/f1 @ana_2", "ejemplo punto com barra efe uno arroba ana guion bajo dos"},
		{"code replaced", []voice.Option{voice.Replace("un ejemplo de código", voice.PieceCode)}, "Vea:\n```\nx := 1\n```\nFin", "Vea:\nun ejemplo de código\nFin"},
		{"code read", []voice.Option{voice.SpellOut(voice.PieceCode)}, "```\n1 factura\n```", "una factura"},
		{"kept tags", []voice.Option{voice.KeepTags("Break")}, `a <b>1</b> <break time="1s"/> 2<br>3`, `a uno <break time="1s"/> dos` + "\ntres"},
		{"content of spell", []voice.Option{voice.KeepTags("spell", "emphasis")}, `<spell>**A1**</spell> <emphasis>1 vez</emphasis>`, `<spell>A1</spell> <emphasis>una vez</emphasis>`},
		{"kept line breaks", []voice.Option{voice.KeepTags("br")}, "a<br>1", "a<br>uno"},
		{"escaped tags do not come back", []voice.Option{voice.KeepTags("break")}, "&lt;break/&gt; 1", "uno"},
		{"weekday", []voice.Option{voice.WithWeekday()}, "el 03/09/2026", "el jueves tres de septiembre de dos mil veintiséis"},
		{"international", []voice.Option{voice.International()}, "300 123 4567 o +57 300 123 4567", "tres cero cero, uno dos tres, cuatro cinco seis siete o más cinco siete, tres cero cero, uno dos tres, cuatro cinco seis siete"},
		{"long names", []voice.Option{voice.LongNames()}, "$5.000", "cinco mil pesos colombianos"},
		{"whole units", []voice.Option{voice.WholeUnits(voice.HalfUp)}, "$89.900,50 y 2,5 km", "ochenta y nueve mil novecientos un pesos y tres kilómetros"},
		{"tender", []voice.Option{voice.Tender("USD")}, "$ 5 y 5 pesos", "cinco dólares y cinco pesos"},
		{"exact", []voice.Option{voice.Exact()}, "a las 15:00", "a las tres en punto de la tarde"},
		{"quarter to", []voice.Option{voice.QuarterTo(true)}, "a las 15:45", "a un cuarto para las cuatro de la tarde"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := voice.CO.With(tt.options...)
			if got := s.Text(tt.text); got != tt.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", tt.text, got, tt.want)
			}
			if again := s.Text(tt.want); again != tt.want {
				t.Errorf("twice %q", again)
			}
			checkWriter(t, s, tt.text, func(int) int { return 2 })
		})
	}
}

// An option serves many speakers and changes none of the others.
func TestOptionsAreShared(t *testing.T) {
	t.Parallel()
	say := voice.Say("EPS", "la entidad")
	one := voice.CO.With(say, voice.Say("ARL", "la aseguradora"))
	two := voice.CO.With(say)
	if got, want := one.Text("EPS y ARL"), "la entidad y la aseguradora"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	if got, want := two.Text("EPS y ARL"), "la entidad y a erre ele"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}

func TestTextOfNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "\n\n", "😀", "***", "https://ejemplo.com", "<p></p>", "...", "\u200b", "\xff", "```\n```", "()", "- ", "#"} {
		if got := voice.CO.Text(text); got != "" {
			t.Errorf("Text(%q) = %q, want nothing", text, got)
		}
	}
}

// Words of no interest stay, whatever their order.
func TestWordsStay(t *testing.T) {
	t.Parallel()
	const text = "Señora, gracias por llamar; con mucho gusto le ayudo (sin costo). ¿Algo más? ¡Feliz día! " +
		"Él dijo: \"no hay problema\", y así fue… Ni físico-químico ni franco-alemán. Sol o mar; no, de a poco."
	if got := voice.MX.Text(text); got != text {
		t.Errorf("Text changed it:\n%q", got)
	}
	if got, want := voice.MX.Text("uno\r\ndos\n\n\n  tres\t cuatro  "), "uno\ndos\ntres cuatro"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	long := strings.Repeat("palabra ", 2000)
	if got, want := voice.MX.Text(long), strings.TrimSpace(long); got != want {
		t.Errorf("a long line changed at %d", len(got))
	}
}
