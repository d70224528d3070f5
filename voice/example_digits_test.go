package voice_test

import (
	"fmt"

	"github.com/portavoz/portavoz/voice"
)

func ExampleCountry_Phone() {
	for _, number := range []string{"+573001234567", "+525512345678", "01 8000 910 110", "(601) 234-5678 ext. 12", "123"} {
		said, err := voice.CO.Phone(number)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(said)
	}
	// Output:
	// tres cero cero, uno dos tres, cuatro cinco seis siete
	// más cinco dos, cinco cinco, uno dos tres cuatro, cinco seis siete ocho
	// cero uno, ocho mil, nueve uno cero, uno uno cero
	// seis cero uno, dos tres cuatro, cinco seis siete ocho, extensión uno dos
	// uno dos tres
}

func ExampleCountry_Code() {
	said, err := voice.CO.Code("482193")
	fmt.Println(said, err)
	said, err = voice.CO.Code("aB-3")
	fmt.Println(said, err)
	// Output:
	// cuatro ocho dos, uno nueve tres <nil>
	// a be mayúscula, tres <nil>
}

// A number that is a name is not a quantity: said as one, nobody can write it
// down.
func ExampleCountry_Digits_wrong() {
	fmt.Println("Wrong:", voice.CO.Int(482193))
	said, err := voice.CO.Digits("482193", 3)
	fmt.Println("Right:", said, err)
	// Output:
	// Wrong: cuatrocientos ochenta y dos mil ciento noventa y tres
	// Right: cuatro ocho dos, uno nueve tres <nil>
}

func ExampleCountry_Document() {
	said, err := voice.CO.Document(voice.DocNIT, "900.123.456-7")
	fmt.Println(said, err)
	said, err = voice.MX.Document(voice.DocRFC, "GODE561231GR8")
	fmt.Println(said, err)
	// Output:
	// nueve cero cero, uno dos tres, cuatro cinco seis, guion siete <nil>
	// ge o de e, cinco seis, uno dos, tres uno, ge erre ocho <nil>
}

func ExampleCountry_Spell() {
	fmt.Println(voice.CO.Spell("WXY 12"))
	fmt.Println(voice.AR.Spell("VB"))
	fmt.Println(voice.ES.Spell("VB"))
	// Output:
	// doble u equis ye, uno dos
	// ve corta be larga
	// uve be
}

func ExampleCountry_Masked() {
	card, err := voice.CO.Masked("4111 1111 1111 4821", 4)
	fmt.Println("La tarjeta "+card, err)
	line, err := voice.CO.Masked("3001234567", 2, voice.Masculine)
	fmt.Println("El celular "+line, err)
	// Output:
	// La tarjeta terminada en cuatro ocho dos uno <nil>
	// El celular terminado en seis siete <nil>
}
