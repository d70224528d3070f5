package voice_test

import (
	"fmt"
	"time"

	"github.com/portavoz/portavoz/voice"
)

var (
	bogota      = time.FixedZone("America/Bogota", -5*60*60)
	appointment = time.Date(2026, 9, 3, 9, 0, 0, 0, bogota)
)

func ExampleCountry_DateTime() {
	fmt.Println("Su cita es el " + voice.CO.DateTime(appointment) + ".")
	fmt.Println(voice.ES.With(voice.WithYear(), voice.WithoutWeekday()).Date(appointment.AddDate(0, 0, -2)))
	// Output:
	// Su cita es el jueves tres de septiembre a las nueve de la mañana.
	// uno de septiembre de dos mil veintiséis
}

// Time has the article and no preposition: "abrimos a" needs the sentence's own.
func ExampleCountry_Time() {
	opens := time.Date(2026, 9, 3, 7, 45, 0, 0, bogota)
	fmt.Println("Abrimos a " + voice.CO.Time(opens) + ".")
	fmt.Println("Abrimos a " + voice.MX.With(voice.QuarterTo(true)).Time(opens) + ".")
	fmt.Println("Abrimos a " + voice.AR.With(voice.QuarterTo(true)).Time(opens) + ".")
	// Output:
	// Abrimos a las siete y cuarenta y cinco de la mañana.
	// Abrimos a un cuarto para las ocho de la mañana.
	// Abrimos a las ocho menos cuarto de la mañana.
}

func ExampleCountry_TimeRange() {
	at := func(hour int) time.Time { return time.Date(2026, 9, 3, hour, 0, 0, 0, bogota) }
	fmt.Println("El técnico llega " + voice.CO.TimeRange(at(14), at(16)) + ".")
	fmt.Println("El técnico llega el " + voice.CO.DateTimeRange(at(11), at(13)) + ".")
	// Output:
	// El técnico llega de dos a cuatro de la tarde.
	// El técnico llega el jueves tres de septiembre de once de la mañana a una de la tarde.
}

func ExampleCountry_DateRange() {
	fmt.Println(voice.PE.DateRange(appointment, appointment.AddDate(0, 0, 2)))
	// Output: del tres al cinco de setiembre
}

func ExampleCountry_SayDateTime() {
	speaker := voice.MX.With(voice.In(bogota))
	said, err := speaker.SayDateTime("2026-09-04T03:30:00Z")
	fmt.Println(said, err)
	said, err = speaker.SayDateTime("2026-02-30T09:00:00Z")
	fmt.Println(said, err)
	// Output:
	// jueves tres de septiembre a las diez y media de la noche <nil>
	//  voice: date-time "2026-02-30T09:00:00Z": out of range
}

func ExampleCountry_When() {
	now := time.Date(2026, 9, 2, 16, 0, 0, 0, bogota)
	fmt.Println("Le esperamos " + voice.CO.When(appointment, now) + ".")
	fmt.Println("Le esperamos " + voice.CO.When(appointment.AddDate(0, 0, 7), now) + ".")
	// Output:
	// Le esperamos mañana a las nueve de la mañana.
	// Le esperamos el jueves diez de septiembre a las nueve de la mañana.
}

// A message that waits in a queue, on an answering machine or in a chat is heard
// on another day than it was made. When is wrong there, DateTime stays true.
func ExampleCountry_When_wrong() {
	made := time.Date(2026, 9, 2, 23, 58, 0, 0, bogota)
	fmt.Println("Wrong, two minutes later: le esperamos " + voice.CO.When(appointment, made) + ".")
	fmt.Println("Right: le esperamos el " + voice.CO.DateTime(appointment) + ".")
	// Output:
	// Wrong, two minutes later: le esperamos mañana a las nueve de la mañana.
	// Right: le esperamos el jueves tres de septiembre a las nueve de la mañana.
}

func ExampleCountry_SayDuration() {
	for _, iso := range []string{"PT2H15M", "P21D", "PT1.5H"} {
		said, err := voice.CO.SayDuration(iso)
		fmt.Println(said, err)
	}
	fmt.Println(voice.CO.Duration(36 * time.Hour))
	// Output:
	// dos horas y quince minutos <nil>
	// veintiún días <nil>
	// una hora y media <nil>
	// treinta y seis horas
}

// One Zones for the process; the name comes with each request.
func ExampleZones() {
	var zones voice.Zones
	for _, name := range []string{"America/Lima", "../etc/passwd"} {
		zone, err := zones.Zone(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(voice.PE.With(voice.In(zone)).DateTime(appointment))
	}
	// Output:
	// jueves tres de setiembre a las nueve de la mañana
	// voice: time zone "../etc/passwd": malformed
}
