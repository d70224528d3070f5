package voice

// The words of OLE 2010, VIII 3.1: one word to veintinueve, then "treinta y
// uno". The spellings "treintaiuno" are valid and in the minority.

// small holds 0 to 29; 1 and 21 vary and are in ones and twentyOnes.
var small = [...]string{
	"cero", "", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve",
	"diez", "once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve",
	"veinte", "", "veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
}

// ones and twentyOnes are indexed by Form.
var ones = [formBits]string{
	Masculine:                           "uno",
	Feminine:                            "una",
	BeforeNoun:                          "un",
	Feminine | BeforeNoun:               "una",
	beforeTonic:                         "uno",
	beforeTonic | Feminine:              "una",
	beforeTonic | BeforeNoun:            "un",
	beforeTonic | BeforeNoun | Feminine: "un",
}

var twentyOnes = [formBits]string{
	Masculine:                           "veintiuno",
	Feminine:                            "veintiuna",
	BeforeNoun:                          "veintiún",
	Feminine | BeforeNoun:               "veintiuna",
	beforeTonic:                         "veintiuno",
	beforeTonic | Feminine:              "veintiuna",
	beforeTonic | BeforeNoun:            "veintiún",
	beforeTonic | BeforeNoun | Feminine: "veintiún",
}

var tens = [...]string{
	"", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa",
}

// hundreds is indexed by gender: only 200 to 900 have a feminine.
var hundreds = [2][10]string{
	{"", "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos", "ochocientos", "novecientos"},
	{"", "ciento", "doscientas", "trescientas", "cuatrocientas", "quinientas", "seiscientas", "setecientas", "ochocientas", "novecientas"},
}

// millions names the powers of a million, the long scale (DPD "billón"), from
// the first; they are masculine nouns.
var millions = [...]struct{ one, many string }{
	{},
	{"millón", "millones"},
	{"billón", "billones"},
	{"trillón", "trillones"},
	{"cuatrillón", "cuatrillones"},
	{"quintillón", "quintillones"},
}
