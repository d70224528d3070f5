package voice_test

import (
	"errors"
	"fmt"

	"github.com/portavoz/portavoz/voice"
)

func ExampleInt() {
	fmt.Println(voice.Int(21))
	fmt.Println(voice.Int(1_200_000))
	fmt.Println(voice.Int(-200, voice.Feminine))
	// Output:
	// veintiuno
	// un millón doscientos mil
	// menos doscientas
}

// A number that stands alone is not the number before a noun: gluing them
// together gives "veintiuno días" and "un millón personas".
func ExampleInt_wrong() {
	fmt.Println(voice.Int(21) + " días")
	fmt.Println(voice.Int(1_000_000) + " personas")

	fmt.Println(voice.Count(21, voice.Noun{Singular: "día", Plural: "días"}))
	fmt.Println(voice.Count(1_000_000, voice.Noun{Singular: "persona", Plural: "personas", Feminine: true}))
	// Output:
	// veintiuno días
	// un millón personas
	// veintiún días
	// un millón de personas
}

func ExampleCount() {
	bill := voice.Noun{Singular: "factura", Plural: "facturas", Feminine: true}
	for _, n := range []int64{0, 1, 21, 200_000} {
		fmt.Println(voice.Count(n, bill))
	}
	// Output:
	// cero facturas
	// una factura
	// veintiuna facturas
	// doscientas mil facturas
}

func ExampleOrdinal() {
	fmt.Println(voice.Ordinal(3))
	fmt.Println(voice.Ordinal(3, voice.BeforeNoun), "piso")
	fmt.Println(voice.Ordinal(23, voice.Feminine))
	// Output:
	// tercero
	// tercer piso
	// vigesimotercera
}

func ExampleCountry_Decimal() {
	for _, c := range []voice.Country{voice.CO, voice.MX} {
		text, err := c.Decimal("21.5")
		fmt.Println(text, err)
	}
	// Output:
	// veintiuno coma cinco <nil>
	// veintiuno punto cinco <nil>
}

func ExamplePercent() {
	fmt.Println(voice.Percent("21"))
	// Output:
	// veintiuno por ciento <nil>
}

func ExampleQuantity() {
	for _, q := range [][2]string{{"21", "km"}, {"1", "t"}, {"2.5", "L"}, {"100", "Mbps"}} {
		text, err := voice.Quantity(q[0], q[1])
		fmt.Println(text, err)
	}
	// Output:
	// veintiún kilómetros <nil>
	// una tonelada <nil>
	// dos coma cinco litros <nil>
	// cien megabits por segundo <nil>
}

func ExampleCountry_Money() {
	for _, m := range [][2]string{{"89900", "COP"}, {"1000000.50", "EUR"}, {"0.05", "USD"}} {
		text, err := voice.CO.Money(m[0], m[1])
		fmt.Println(text, err)
	}
	// Output:
	// ochenta y nueve mil novecientos pesos <nil>
	// un millón de euros con cincuenta céntimos <nil>
	// cinco centavos <nil>
}

// An amount that went through a float64 is another amount: 0.1 + 0.2 has
// seventeen decimals, and they would all be said.
func ExampleMoney_wrong() {
	price, tip := 0.1, 0.2
	text, err := voice.Money(fmt.Sprint(price+tip), "USD")
	fmt.Println(len(text) > 100, err)

	fmt.Println(voice.MoneyMinor(10+20, "USD"))
	// Output:
	// true <nil>
	// treinta centavos <nil>
}

func ExampleRound() {
	shop := voice.MX.With(voice.Round(voice.HalfUp))
	fmt.Println(shop.Money("2.675", "MXN"))
	fmt.Println(voice.MX.With(voice.WholeUnits(voice.HalfUp), voice.LongNames()).Money("2.675", "MXN"))
	fmt.Println(voice.MX.Money("2.675", "MXN"))
	// Output:
	// dos pesos con sesenta y ocho centavos <nil>
	// tres pesos mexicanos <nil>
	// dos punto seis siete cinco pesos <nil>
}

func ExampleCountry_ParseMoney() {
	fmt.Println(voice.CO.ParseMoney("$ 89.900"))
	fmt.Println(voice.MX.ParseMoney("$89,900.00"))

	_, err := voice.MX.ParseMoney("$ 89.900")
	fmt.Println(errors.Is(err, voice.ErrAmbiguous), err)
	// Output:
	// {89900 COP} <nil>
	// {89900.00 MXN} <nil>
	// true voice: money "$ 89.900": ambiguous
}

func ExampleMoneyRange() {
	fmt.Println(voice.MoneyRange("10000", "12000", "COP"))
	fmt.Println(voice.With(voice.FromTo()).MoneyRange("10000", "12500", "COP"))
	// Output:
	// entre diez y doce mil pesos <nil>
	// de diez mil a doce mil quinientos pesos <nil>
}

func ExampleJoin() {
	fmt.Println(voice.Join("lunes", "miércoles", "viernes"))
	fmt.Println(voice.Join("agujas", "hilos"))
	fmt.Println(voice.JoinOr("siete", "ocho"))
	fmt.Println(voice.Top([]string{"fibra", "móvil", "televisión"}, 2, 8))
	// Output:
	// lunes, miércoles y viernes
	// agujas e hilos
	// siete u ocho
	// fibra, móvil y seis más
}
