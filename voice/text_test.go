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
