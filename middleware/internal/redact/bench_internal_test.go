package redact

import (
	"fmt"
	"strings"
	"testing"
)

const letterText = `Hola, señora Martínez. Su cita quedó agendada para el jueves 3 de septiembre de 2026 a las 9:30 a. m. ` +
	`en la Cra. 45 # 12-30, barrio Chapinero, Bogotá. El técnico se llama Andrés Gómez y lo puede llamar al 601 555 1234. ` +
	`El plan Fibra Hogar 300 cuesta $ 89.900 al mes, con IVA incluido, y su factura CC1032456 vence el 15/09/2026. ` +
	`Si necesita reprogramar, escríbanos a soporte@ejemplo.com o responda este mensaje con el radicado RAD-2026-000123. `

const letterDirt = `Error: connect ECONNREFUSED 10.0.0.1:5432 password=s3cr3t {"token":"abc"} AKIAIOSFODNN7EXAMPLE postgres://u:p@h/d db.internal. `

// hardTexts are texts that make a careless scanner read the same bytes
// over and over.
var hardTexts = map[string]string{
	"clean":           letterText,
	"dirty":           letterText + letterDirt,
	"colons":          ":",
	"equals":          "a=",
	"keys":            "password:",
	"empty values":    "token=\n",
	"open quotes":     `token="`,
	"open quote line": "token='\n",
	"open braces":     "pwd={\n",
	"escaped quotes":  `token=\"`,
	"jwt heads":       "eyJ-",
	"jwt long heads":  strings.Repeat("eyJ-", 500) + ".",
	"jwt parts":       "eyJhbGciOi.",
	"prefixes":        "sk-",
	"prefix lines":    "sk\n-",
	"pem heads":       "-----BEGIN PRIVATE KEY-----",
	"pem words":       "-----BEGIN PRIVATE KEY----- a b ",
	"dashes":          "-",
	"urls":            "a://b:c/",
	"long users":      "a://bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb:",
	"at signs":        "a:b@//",
	"pairs":           "host=a ",
	"frames":          "at a.b(",
	"frames in lines": "\nat a.b(c:1)",
	"panics":          "\npanic: ",
	"go calls":        "\npanic: \na()\n",
	"tracebacks":      "Traceback (most recent call last) ",
	"dots":            ".local",
	"numbers":         "10.0.0.",
	"addresses":       "fe80:",
	"colons twice":    "::1",
	"escapes":         `\n`,
	"percent":         "%3D",
	"invisible":       "\u200b",
	"placeholders":    Placeholder,
	"elements":        "<password>",
	"blanks":          "token= ",
	"tags":            "<a ",
	"backslashes":     `token="\`,
	"qualifiers":      "clave de la red de la red:",
}

func BenchmarkRedactText(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"clean/2KB", fill(letterText, 2<<10)},
		{"dirty/2KB", fill(letterText+letterDirt, 2<<10)},
		{"clean/64KB", fill(letterText, 64<<10)},
		{"clean/1MB", fill(letterText, 1<<20)},
		{"dirty/64KB", fill(letterText+letterDirt, 64<<10)},
		{"dirty/1MB", fill(letterText+letterDirt, 1<<20)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.text)))
			for b.Loop() {
				Text(bb.text)
			}
		})
	}
}

func BenchmarkRedactLooksInternal(b *testing.B) {
	s := "No encontramos una cita con esos datos. Verifique el número de documento e intente de nuevo."
	b.ReportAllocs()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		LooksInternal(s)
	}
}

// BenchmarkRedactTextHard shows that the time per byte does not depend on the
// length: all sizes of a text run at the same speed.
func BenchmarkRedactTextHard(b *testing.B) {
	for name, text := range hardTexts {
		for _, size := range []int{256, 8 << 10, 64 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%dB", name, size), func(b *testing.B) {
				s := fill(text, size)
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					Text(s)
					LooksInternal(s)
				}
			})
		}
	}
}

// fill repeats a text until it has about that many bytes.
func fill(text string, size int) string {
	return strings.Repeat(text, size/len(text)+1)
}
