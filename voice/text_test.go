package voice_test

import (
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// TestText holds one or two sentences to each rule of a text that a person might
// miss: what would be false, or a word that would vanish.
func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		country    voice.Country
		text, want string
	}{
		{"an unknown tag is words", voice.CO, "Use <Plan Fibra> hoy", "Use Plan Fibra hoy"},
		{"a placeholder is a word", voice.CO, "<nombre>, su pedido está listo", "nombre, su pedido está listo"},
		{"double signs around a word", voice.CO, "Estimado <<cliente>>:", "Estimado cliente:"},
		{"escaped, too", voice.CO, "Use &lt;Plan Fibra&gt; hoy", "Use Plan Fibra hoy"},
		{"a key between signs", voice.CO, "Marque <1> para ventas", "Marque uno para ventas"},
		{"a tag of HTML goes", voice.CO, `<p>Hola <b>Ana</b><img src=x></p><x-tag a="b"/>`, "Hola Ana"},
		{"half of a feminine noun", voice.CO, "Tome 1/2 tableta en 1/2 vaso", "Tome media tableta en medio vaso"},
		{"half of a unit", voice.CO, "1/2 kg, 1/2 h, ½ lb. y 1/2 L", "medio kilogramo, media hora, media libra y medio litro"},
		{"part of a unit", voice.CO, "1/4 lb y 3/4 L", "un cuarto de libra y tres cuartos de litro"},
		{"a half alone", voice.CO, "1/2 de la cuenta, 1/3 de los casos", "un medio de la cuenta, un tercio de los casos"},
		{"a mixed unit", voice.CO, "2 1/2 kg, 1 1/2 h y 2 ½ tazas", "dos kilogramos y medio, una hora y media y dos y media tazas"},
		{"a comparison", voice.CO, "si la edad es <18 años", "si la edad es menor que dieciocho años"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.country.Text(tt.text); got != tt.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", tt.text, got, tt.want)
			}
			checkText(t, tt.country.With(), tt.text)
		})
	}
}
