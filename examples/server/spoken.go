package main

import (
	"strconv"
	"time"
)

// spoken writes a date as people say it, in the zone that it has: "jueves 3 de
// septiembre a las nueve de la mañana". The weekday is computed. Minutes are
// left out: everything here happens on the hour.
func spoken(t time.Time) string {
	return weekdays[t.Weekday()] + " " + strconv.Itoa(t.Day()) + " de " + months[t.Month()-1] + " a " + hourOf(t)
}

func hourOf(t time.Time) string {
	h := t.Hour()
	article := "las "
	if h%12 == 1 {
		article = "la "
	}
	return article + hours[h%12] + " " + partOfDay(h)
}

func partOfDay(hour int) string {
	switch {
	case hour == 0 || hour > 18:
		return "de la noche"
	case hour < 6:
		return "de la madrugada"
	case hour < 12:
		return "de la mañana"
	case hour == 12:
		return "del mediodía"
	default:
		return "de la tarde"
	}
}

var weekdays = [...]string{
	"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado",
}

var months = [...]string{
	"enero", "febrero", "marzo", "abril", "mayo", "junio",
	"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
}

var hours = [12]string{
	"doce", "una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once",
}
