package voice

// digitProfile is what a country decides about digits, letters and phones.
type digitProfile struct {
	// letters are the names that differ.
	letters letterNames
	// calling is the country calling code (ITU E.164), empty in the neutral
	// profile: every number is foreign there.
	calling string
	// extension is the word before an internal number.
	extension string
	// hash names "#".
	hash string
}

// letterNames are the letters that countries name differently.
type letterNames struct{ b, v, w, y string }

// digitProfileOf returns what c decides. The sources, row by row:
//
//   - Letters: OLE 2010, chapter I, and DPD "b", "v", "w", "y". Neutral are the
//     recommended uve, uve doble and ye. "I griega" is the most widespread;
//     those who call v "ve" tell it from b by calling both short and long, small
//     and big. "Doble u" is México and Central America, by ear also Colombia and
//     the Caribbean; "doble ve" the rest of America.
//   - Calling codes: ITU E.164.
//   - Extension: "anexo" in Chile and Perú, "interno" in the Río de la Plata
//     (Diccionario de americanismos).
//   - The sign #: "almohadilla" in Spain, "gato" in México and Chile, "numeral"
//     elsewhere (DPD "almohadilla").
func digitProfileOf(c Country) digitProfile {
	recommended := letterNames{b: "be", v: "uve", w: "uve doble", y: "ye"}
	small := letterNames{b: "be grande", v: "ve chica", w: "doble ve", y: "i griega"}
	short := letterNames{b: "be larga", v: "ve corta", w: "doble ve", y: "i griega"}

	p := digitProfile{letters: recommended, extension: "extensión", hash: "numeral"}
	switch c {
	case CO:
		p.calling, p.letters.w = "57", "doble u"
	case MX:
		p.calling, p.letters, p.hash = "52", small, "gato"
		p.letters.w = "doble u"
	case AR:
		p.calling, p.letters, p.extension = "54", short, "interno"
	case CL:
		p.calling, p.letters, p.extension, p.hash = "56", short, "anexo", "gato"
	case PE:
		p.calling, p.letters, p.extension = "51", small, "anexo"
	case EC:
		p.calling, p.letters.w, p.letters.y = "593", "doble ve", "i griega"
	case VE:
		p.calling, p.letters.w, p.letters.y = "58", "doble ve", "i griega"
	case UY:
		p.calling, p.letters, p.extension = "598", short, "interno"
	case PY:
		p.calling, p.letters, p.extension = "595", short, "interno"
	case BO:
		p.calling, p.letters = "591", small
	case CR:
		p.calling, p.letters.w, p.letters.y = "506", "doble u", "i griega"
	case PA:
		p.calling, p.letters.w, p.letters.y = "507", "doble u", "i griega"
	case GT:
		p.calling, p.letters.w, p.letters.y = "502", "doble u", "i griega"
	case HN:
		p.calling, p.letters.w, p.letters.y = "504", "doble u", "i griega"
	case SV:
		p.calling, p.letters.w, p.letters.y = "503", "doble u", "i griega"
	case NI:
		p.calling, p.letters.w, p.letters.y = "505", "doble u", "i griega"
	case DO, PR, US:
		p.calling, p.letters.w, p.letters.y = "1", "doble u", "i griega"
	case ES:
		p.calling, p.letters.y, p.hash = "34", "i griega", "almohadilla"
	}
	return p
}
