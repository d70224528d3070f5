package voice_test

import (
	"fmt"
	"os"

	"github.com/portavoz/portavoz/voice"
)

// A message of a chat becomes what a synthesizer reads aloud.
func ExampleCountry_Text() {
	fmt.Println(voice.CO.Text("✅ *Pago recibido*\n💰 Total: $ 89.900\n📅 03/09/2026, 3:30 p. m.\nVisítenos en la Cra. 45 # 12-30."))
	// Output:
	// Pago recibido
	// Total: ochenta y nueve mil novecientos pesos
	// tres de septiembre de dos mil veintiséis a las tres y media de la tarde.
	// Visítenos en la carrera cuarenta y cinco número doce treinta.
}

// What nobody can hear comes back, to be sent by another channel.
func ExampleCountry_Clean() {
	message := "Descargue su factura en https://ejemplo.com/f/8231 o escriba a pagos@ejemplo.com."
	clean := voice.CO.Clean(message)
	fmt.Println(clean.Text)
	for _, piece := range clean.Removed {
		fmt.Println(piece.Kind, message[piece.Start:piece.End])
	}
	// Output:
	// Descargue su factura en el enlace o escriba al correo.
	// url https://ejemplo.com/f/8231
	// email pagos@ejemplo.com
}

// A model writes its answer in fragments; each sentence is said when it is over.
func ExampleCountry_NewWriter() {
	w := voice.CO.NewWriter(os.Stdout)
	for _, fragment := range []string{"Su saldo es $89", ".900", ". Vence el 15", "/10/20", "26."} {
		if _, err := w.WriteString(fragment); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output: Su saldo es ochenta y nueve mil novecientos pesos. Vence el quince de octubre de dos mil veintiséis.
}

// A word is said as the application wants it.
func ExampleSay() {
	speaker := voice.MX.With(voice.Say("Wi-Fi", "guaifai"), voice.Say("Totalplay", "total pley"))
	fmt.Println(speaker.Text("Su Wi-Fi de Totalplay tiene 2 equipos."))
	// Output: Su guaifai de total pley tiene dos equipos.
}

// Links may be named or spelled instead.
func ExampleSpellOut() {
	speaker := voice.CO.With(
		voice.SpellOut(voice.PieceEmail),
		voice.Replace("el enlace que le envié", voice.PieceURL),
	)
	fmt.Println(speaker.Text("Escriba a ana_ruiz@ejemplo.com o entre a https://ejemplo.com"))
	// Output: Escriba a ana guion bajo ruiz arroba ejemplo punto com o entre al enlace que le envié
}

// Tags of SSML stay when they are named.
func ExampleKeepTags() {
	speaker := voice.CO.With(voice.KeepTags("break", "spell"))
	fmt.Println(speaker.Text(`**Hola.**<break time="500ms"/> Su código es <spell>A7K9</spell> y debe $5.000`))
	// Output: Hola.<break time="500ms"/> Su código es <spell>A7K9</spell> y debe cinco mil pesos
}

// A Text of each fragment is wrong: numbers come apart. A Writer puts them
// together.
func ExampleWriter_fragments() {
	fragments := []string{"Su saldo es $89", ".900"}

	for _, fragment := range fragments { // wrong
		fmt.Print(voice.CO.Text(fragment))
	}
	fmt.Println()

	w := voice.CO.NewWriter(os.Stdout) // right
	for _, fragment := range fragments {
		_, _ = w.WriteString(fragment)
	}
	_ = w.Close()
	// Output:
	// Su saldo es ochenta y nueve pesosnovecientos
	// Su saldo es ochenta y nueve mil novecientos pesos
}
