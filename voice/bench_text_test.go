package voice_test

import (
	"io"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// chat is a message as an agent writes it.
const chat = "**Hola, Sra. Martínez.** Su factura No. 4587-2211 por $ 125.430 vence el 15/10/2026 a las 3:30 p. m.\n" +
	"- Plan de 300 Mbps: $89.900/mes (IVA del 19 % incluido).\n" +
	"- Consumo: 182 kWh en 21 días; tiene 1 cita pendiente en la Cra. 45 # 12-30.\n" +
	"Puede pagar en https://pagos.ejemplo.com/f?id=1 o llamar al 300 123 4567. Gracias por su paciencia, lo atenderemos lo antes posible y con mucho gusto.\n"

// sized returns a text of the given size made of chat.
func sized(text string, size int) string {
	return strings.Repeat(text, size/len(text)+1)[:size]
}

func BenchmarkText(b *testing.B) {
	for name, size := range map[string]int{"1KB": 1 << 10, "64KB": 64 << 10, "1MB": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			text := sized(chat, size)
			buf := make([]byte, 0, 4*size)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				buf = voice.CO.AppendText(buf[:0], text)
			}
		})
	}
	b.Run("Plain", func(b *testing.B) {
		text := sized("Gracias por su paciencia, lo atenderemos lo antes posible y con mucho gusto en nuestra sede. ", 64<<10)
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf = voice.CO.AppendText(buf[:0], text)
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	text := sized(chat, 64<<10)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		w := voice.CO.NewWriter(io.Discard)
		for i := 0; i < len(text); i += 5 { // as the tokens of a model
			if _, err := w.WriteString(text[i:min(len(text), i+5)]); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTextWorst repeats what rules look far ahead or back for, so that one
// that is not linear shows.
func BenchmarkTextWorst(b *testing.B) {
	for _, scrap := range []string{
		"[", "](", "<", "<a ", "(", "*", "`", "|\n", "```\n", "-", ".", "a.", "a.com", "@", "a@", "a/", "http://", "f0", "eyJ1aA", "&amp;",
		"1", "1,", "1.", "1-", "1/", "1:", "1 ", "300 ", "1 a ", "$", "$1 ", "código ", "siglo XX y ", "C.P.", "XXXX", "•", "\xff", "😀", "e\u0301",
	} {
		b.Run(scrap, func(b *testing.B) {
			text := sized(scrap, 1<<20)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				voice.CO.Text(text)
			}
		})
	}
}
