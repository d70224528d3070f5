package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nounAfter returns the form of a number before the plain noun that the text
// goes on with after width bytes; ok is false when it goes on with something
// else. Singular says which number the noun must have.
func (c *cursor) nounAfter(width int, singular bool) (f Form, ok bool) {
	word, at := c.following(width)
	f, ok = nounForm(word, singular)
	if ok && isListed(leadingAdjectives, strings.ToLower(word)) { // veintiuna grandes ciudades
		next := skipBlanks(c.s[at+len(word):])
		if noun, found := nounForm(next[:wordWidth(next)], singular); found {
			return noun, true
		}
	}
	return f, ok
}

// Words that a number may stand before and that are no nouns: particles,
// adverbs and the usual verbs; and adjectives that come before a noun without
// showing its gender.
const (
	otherWords = " a al ante bajo con contra de del desde e el en entre es esta este esto está están hacia hasta la las le les lo los " +
		"me mi mis más menos ni no nos nosotros o para pero por porque pues que qué se según ser si sí sin sobre son su sus " +
		"también te tiene tienen tras tu tus u un una unas unos usted ustedes va van ya y yo " +
		"ahora hoy mañana ayer anoche antes después luego entonces además aún todavía siempre nunca jamás quizás cerca lejos fuera " +
		"dentro arriba abajo cada como cómo cuando donde mientras aproximadamente inclusive incluido incluida " +
		"era eran fue fueron ha han hay queda quedan cuesta cuestan vale valen llega llegan sale salen vence vencen espera " +
		"eres somos tenemos estamos vamos podemos hemos queremos hacemos gracias " +
		"lunes martes miércoles jueves viernes mil millón millones billón billones coma punto por ciento norte sur este oeste bis izq izquierda der derecha dcha izda "
	leadingAdjectives = " grandes diferentes principales siguientes posibles mejores mayores menores importantes simples gran "
)

// nounForm returns the form of a number before a noun in lower case. The gender
// follows the ending (NGLE 2.2), with the usual exceptions.
func nounForm(word string, singular bool) (f Form, ok bool) {
	if r, _ := utf8.DecodeRuneInString(word); !unicode.IsLower(r) || len(word) < 3 {
		return Masculine, false
	}
	if isListed(otherWords, word) || singular == isPlural(word) {
		return Masculine, false
	}
	f = BeforeNoun
	if isFeminine(word) {
		f |= Feminine
		if isListed(tonicNouns, word) {
			f |= beforeTonic
		}
	}
	return f, true
}

func isPlural(word string) bool {
	if isListed(" mes interés país gas bus jueves dosis crisis tesis virus análisis autobús ", word) {
		return false
	}
	return strings.HasSuffix(word, "s")
}

const (
	// Masculine nouns in -a, feminine ones in other endings, in both numbers.
	masculineNouns = " día días mapa mapas problema problemas tema temas idioma idiomas planeta planetas poema poemas dilema dilemas " +
		"esquema esquemas clima climas síntoma síntomas diploma diplomas drama dramas panorama panoramas giga gigas mega megas tera teras " +
		"pijama pijamas tranvía tranvías fantasma fantasmas enigma enigmas aroma aromas trauma traumas lema lemas teorema teoremas " +
		"paradigma paradigmas prisma prismas hematoma hematomas cometa cometas " +
		"corazones corazón buzón buzones tazón tazones ataúd ataúdes análisis colega colegas guardia guardias policía policías camarada "
	feminineNouns = " mano manos foto fotos moto motos noche noches tarde tardes clase clases calle calles llave llaves parte partes " +
		"ley leyes mujer mujeres luz luces red redes fase fases serie series base bases clave claves frase frases cruz cruces " +
		"flor flores imagen imágenes orden órdenes vez veces voz voces piel pieles cárcel cárceles sede sedes suite suites nave naves " +
		"nube nubes leche gente fuente fuentes suerte torre torres superficie superficies especie especies madre madres señal señales " +
		"sucursal sucursales credencial credenciales terminal terminales central centrales web app apps crisis tesis dosis " +
		"labor labores razón razones raíz raíces actriz actrices compraventa mitad mitades cuenta sesión sal sales miel hélice " +
		"variante variantes patente patentes variable variables intranet extranet deuda solicitud solicitudes unidad " +
		"nariz narices codorniz lombriz perdiz matriz matrices directriz directrices cicatriz cicatrices paz faz "
	tonicNouns = " agua aguas aula aulas área áreas arma armas alma almas ala alas águila águilas acta actas ancla anclas hacha hachas " +
		"hada hadas arca arcas habla hambre arpa arpas asa asas alza ave aves "
)

// isFeminine reports whether a noun is feminine.
func isFeminine(word string) bool {
	switch {
	case isListed(masculineNouns, word):
		return false
	case isListed(feminineNouns, word), isListed(tonicNouns, word):
		return true
	}
	stem := strings.TrimSuffix(word, "s")
	for _, ending := range [...]string{"ista", "grama", "sistema"} { // as in turistas
		if strings.HasSuffix(stem, ending) {
			return false
		}
	}
	for _, ending := range [...]string{
		"a", "dad", "dade", "tad", "tade", "tud", "tude", "umbre", "eza",
		"ción", "cione", "sión", "sione", "xión", "xione", "gión", "gione", "tión", "tione", "nión", "nione",
	} {
		if strings.HasSuffix(stem, ending) {
			return true
		}
	}
	return false
}
