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
		{"weekdays from to", voice.CO, "lun-vie 8:00-17:00", "lunes a viernes de ocho de la mañana a cinco de la tarde"},
		{"weekdays and words", voice.CO, "Lun a vie, sáb y dom cerrado", "lunes a viernes, sábado y domingo cerrado"},
		{"initials of weekdays", voice.ES, "Abrimos L-V 9:00-14:00", "Abrimos lunes a viernes de nueve de la mañana a dos de la tarde"},
		{"words like weekdays", voice.CO, "El mar, el dom Pérignon y si te vie", "El mar, el dom Pérignon y si te vie"},
		{"day and month after a weekday", voice.MX, "Su cita es el lun. 3/09 a las 4 pm", "Su cita es el lunes tres de septiembre a las cuatro de la tarde"},
		{"day and month before a time", voice.AR, "Turno: mié 9/9 15:30 hs", "Turno: miércoles nueve de septiembre a las tres y media de la tarde"},
		{"day and month with zeros", voice.PE, "Yape a Juan P. 03/09 10:15 a.m.", "Yape a Juan P. tres de setiembre a las diez y cuarto de la mañana."},
		{"a part with zeros", voice.CO, "cuota 03/12", "cuota tres de doce"},
		{"the first hour alone", voice.MX, "Abierto hasta las 00:00, de 18:00 a 00:00 y a las 12:30 a. m.", "Abierto hasta las doce de la noche, de seis de la tarde a doce de la noche y a las doce y media de la noche."},
		{"the first hour of a day", voice.MX, "El viernes a las 00:00 o mañana, 00:30", "El viernes a las doce de la madrugada o mañana, las doce y media de la madrugada"},
		{"the first hour of a date", voice.CO, "3/09/2026 00:00, el 04/09 a las 00:00, día 5, 00:15 y septiembre 6, 00:10",
			"tres de septiembre de dos mil veintiséis a las doce de la madrugada, el cuatro de septiembre a las doce de la madrugada, día cinco, las doce y cuarto de la madrugada y septiembre seis, las doce y diez de la madrugada"},
		{"the first hour before its day", voice.CO, "A las 00:00 del viernes, a las 00:00 h del 4 de septiembre y a las 00:00 de mañana",
			"A las doce de la madrugada del viernes, a las doce de la madrugada del cuatro de septiembre y a las doce de la madrugada de mañana"},
		{"the first hours of a day", voice.CO, "El viernes de 00:00 a 06:00, el lunes de 00:00 a 00:45", "El viernes de doce de la madrugada a seis de la mañana, el lunes de doce a doce y cuarenta y cinco de la madrugada"},
		{"the end of a day", voice.CO, "hasta las 24:00 del viernes, viernes hasta las 00:00, lunes de 22:00 a 00:00", "hasta las doce de la noche del viernes, viernes hasta las doce de la noche, lunes de diez a doce de la noche"},
		{"a number is no day", voice.CO, "El caso 4821 a las 00:00, de 8:00 de la mañana a 00:00", "El caso cuatro ocho dos uno a las doce de la noche, de las ocho de la mañana a las doce de la noche"},
		{"tomorrow is no part of the day", voice.CO, "a las 15:00 de mañana, 08:00 de la mañana", "a las tres de la tarde de mañana, las ocho de la mañana"},
		{"month and year", voice.CO, "Vence 09/2026, Ley 12/2026", "Vence septiembre de dos mil veintiséis, Ley doce sobre dos mil veintiséis"},
		{"a short month", voice.CO, "el jue 03 sep 09:00", "el jueves tres de septiembre a las nueve de la mañana"},
		{"a short year", voice.CO, "3-sep-26", "tres de septiembre de dos mil veintiséis"},
		{"a short month ends the sentence", voice.CO, "Vence el 15 de sept. Pague ya", "Vence el quince de septiembre. Pague ya"},
		{"a number of a door without a period", voice.CO, "Cra 7 No 12B - 58, y no 3", "carrera siete número doce be cincuenta y ocho, y no tres"},
		{"keys alone", voice.CO, "Presione * o #. Oprima #, o la tecla *", "Presione asterisco o numeral. Oprima numeral, o la tecla asterisco"},
		{"a key is named by the country", voice.MX, "Marque 1 o #", "Marque uno o gato"},
		{"an ending in parentheses after a plural", voice.CO, "facturas(s) de Estimado(a)", "facturas de Estimado o Estimada"},
		{"a code that is dialled", voice.CO, "Marque *123# y *611", "Marque asterisco uno dos tres numeral y asterisco seis uno uno"},
		{"signs that are no keys", voice.CO, "Es *muy* fácil # ya", "Es muy fácil ya"},
		{"no month of an impossible date", voice.CO, "31/02/2026", "treinta y uno barra dos sobre dos mil veintiséis"},
		{"thousands parted by spaces", voice.PE, "25 000 personas, 1 500 000 votos y 12 500 m", "veinticinco mil personas, un millón quinientos mil votos y doce mil quinientos metros"},
		{"thousands of a unit", voice.MX, "10 000 km y 150 000 000 personas", "diez mil kilómetros y ciento cincuenta millones de personas"},
		{"numbers beside each other", voice.CO, "elija 3 100 o 20 300 40", "elija tres cien o veinte trescientos cuarenta"},
		{"decades", voice.CO, "los 80s, en los años 90s y en 30s", "los ochenta, en los años noventa y en treinta segundos"},
		{"a hidden card", voice.CO, "Tarjeta XXXX-XXXX-XXXX-4821", "Tarjeta terminada en cuatro ocho dos uno"},
		{"a factor", voice.CO, "x2 en puntos", "por dos en puntos"},
		{"before Christ", voice.CO, "siglo V a. C. y año 44 d. C.", "siglo quinto antes de Cristo y año cuarenta y cuatro después de Cristo."},
		{"two capitals by a number", voice.CO, "CO2 y bus SI18", "ce o dos y bus ese i dieciocho"},
		{"a rate in words", voice.CO, "2 veces/día, y/o", "dos veces por día, y o"},
		{"an abbreviation against digits", voice.CO, "y/o15 y C/U20", "y o quince y cada uno veinte"},
		{"a comparison", voice.CO, "si la edad es <18 años", "si la edad es menor que dieciocho años"},
		{"a letter in parentheses after a number", voice.CO, "numeral 0(a)", "numeral cero (a)"},
		{"a half before a label", voice.CO, "½ K, 1/2 A, ½ ha sido y 2½ t", "un medio K, un medio A, un medio ha sido y dos y medio t"},
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
