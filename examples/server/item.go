package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// item is something the operator sells. Prices are whole pesos of the public
// price list.
type item struct {
	name   string
	detail string
	pesos  int64
}

// priceLists are the lists by their id at the gateway: the percentage of the
// public price that each one charges.
var priceLists = map[string]int64{
	"pl_publica":   100,
	"pl_mayorista": 85,
}

const currency = "COP"

// price returns the final price on a list, as exact decimal text. A list that
// is not known, or "", sells at the public price.
func (it item) price(list string) string {
	percent, ok := priceLists[list]
	if !ok {
		percent = 100
	}
	return strconv.FormatInt(it.pesos*percent/100, 10) + ".00" // prices are multiples of 100
}

// written returns a price as people write it: "$89.900". Voice puts it into words.
func written(price string) string {
	pesos := strings.TrimSuffix(price, ".00")
	for i := len(pesos) - 3; i > 0; i -= 3 {
		pesos = pesos[:i] + "." + pesos[i:]
	}
	return "$" + pesos
}

func catalogue() []item {
	return []item{
		{"Plan Fibra 100", "internet de 100 megas", 59900},
		{"Plan Fibra 200", "internet de 200 megas", 74900},
		{"Plan Fibra 300", "internet de 300 megas", 89900},
		{"Plan Fibra 500", "internet de 500 megas", 109900},
		{"Plan Fibra 700", "internet de 700 megas", 129900},
		{"Plan Fibra 900", "internet de 900 megas", 149900},
		{"Plan Fibra 1000", "internet de 1000 megas", 189900},
		{"Plan Fibra Dúo 300", "internet y telefonía", 99900},
		{"Plan Fibra Dúo 500", "internet y telefonía", 119900},
		{"Plan Fibra Dúo 900", "internet y telefonía", 159900},
		{"Plan Fibra Trío 300", "internet, telefonía y TV", 139900},
		{"Plan Fibra Trío 500", "internet, telefonía y TV", 159900},
		{"Plan Fibra Trío 900", "internet, telefonía y TV", 199900},
		{"Plan Fibra Gamer 500", "baja latencia", 129900},
		{"Plan Fibra Gamer 900", "baja latencia", 169900},
		{"Plan Fibra Negocio 200", "internet con IP fija", 119900},
		{"Plan Fibra Negocio 500", "internet con IP fija", 189900},
		{"Plan Fibra Negocio 900", "internet con IP fija", 259900},
		{"Plan Fibra Estudiante 50", "internet de 50 megas", 39900},
		{"Plan Telefonía Fija", "llamadas nacionales", 24900},
		{"Plan Televisión Básica", "90 canales", 39900},
		{"Plan Televisión Total", "160 canales", 64900},
		{"Instalación de fibra", "visita técnica", 80000},
		{"Traslado de fibra", "visita técnica", 60000},
		{"Reconexión de fibra", "sin visita", 15000},
		{"Módem de fibra", "equipo adicional", 180000},
		{"Extensor Wi-Fi", "cubre un piso más", 120000},
		{"Router Wi-Fi 6", "para muchos equipos", 250000},
		{"IP fija", "cargo mensual", 30000},
		{"Decodificador de televisión", "segundo televisor", 12900},
	}
}

// search returns the items that have a word of the text, the most relevant
// first: a word of the name counts more than one of the detail. Accents, case
// and plurals do not matter. A text without words finds nothing.
func (op *operator) search(text string) []item {
	type hit struct {
		item
		score int
	}
	var hits []hit
	wanted := words(text)
	for _, it := range op.items {
		name, detail := words(it.name), words(it.detail)
		score := 0
		for _, w := range wanted {
			switch {
			case slices.Contains(name, w):
				score += 3
			case slices.Contains(detail, w):
				score++
			}
		}
		if score > 0 {
			hits = append(hits, hit{it, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	found := make([]item, len(hits))
	for i, h := range hits {
		found[i] = h.item
	}
	return found
}

// unaccented holds the letters of Spanish that are written in two ways.
var unaccented = strings.NewReplacer(
	"á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ñ", "n",
)

// words returns the words of a text in the form in which they are compared,
// without the short ones that join the others.
func words(text string) []string {
	fields := strings.FieldsFunc(unaccented.Replace(strings.ToLower(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	found := fields[:0]
	for _, w := range fields {
		switch w {
		case "de", "del", "el", "la", "los", "las", "un", "una", "y", "o", "con", "sin", "para", "por", "en", "mas":
		default:
			found = append(found, singular(w))
		}
	}
	return found
}

// singular drops the ending of a plural: "planes" and "plan" are one word.
func singular(w string) string {
	if len(w) < 5 {
		return w
	}
	if stem, ok := strings.CutSuffix(w, "es"); ok {
		return stem
	}
	return strings.TrimSuffix(w, "s")
}
