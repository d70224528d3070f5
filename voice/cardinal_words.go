package voice

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
