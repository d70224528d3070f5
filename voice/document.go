package voice

import "strings"

// DocumentKind is a kind of identity document or register number, as data name
// it. Upper and lower case are the same.
type DocumentKind string

// The kinds that [Speaker.Document] knows.
const (
	DocCedula   DocumentKind = "cedula"    // national identity in most of America
	DocDNI      DocumentKind = "dni"       // Argentina, España, Honduras, Perú
	DocNIE      DocumentKind = "nie"       // foreigners in España
	DocDUI      DocumentKind = "dui"       // El Salvador
	DocDPI      DocumentKind = "dpi"       // Guatemala
	DocCURP     DocumentKind = "curp"      // México
	DocRFC      DocumentKind = "rfc"       // México, taxes
	DocNIT      DocumentKind = "nit"       // Bolivia, Colombia, El Salvador, Guatemala, taxes
	DocRUT      DocumentKind = "rut"       // Chile, Uruguay
	DocRUC      DocumentKind = "ruc"       // Ecuador, Panamá, Paraguay, Perú, taxes
	DocRIF      DocumentKind = "rif"       // Venezuela, taxes
	DocRTN      DocumentKind = "rtn"       // Honduras, taxes
	DocCUIT     DocumentKind = "cuit"      // Argentina, taxes
	DocCUIL     DocumentKind = "cuil"      // Argentina, work
	DocPassport DocumentKind = "pasaporte" // of any country
	DocPlate    DocumentKind = "placa"     // of a vehicle
)

// documentRule says how the numbers of a kind are written, without separators.
type documentRule struct {
	kind     DocumentKind
	shapes   []string // of fixed length: 9 digit, A letter, * either; spaces are pauses
	min, max int      // or else a length, said in threes from the right
	letters  letterPlaces
	check    bool // a single character after a hyphen is a check digit
	ends     bool // the last character is a check digit even without a hyphen
}

// letterPlaces says where letters may stand; zero is nowhere.
type letterPlaces uint8

const (
	letterFirst  letterPlaces = 1 << iota
	lettersFirst              // one or two: E-8-12345 and PE-12-345 in Panamá
	letterLast
	letterAnywhere
)

var documentRules = [...]documentRule{
	{kind: DocCedula, shapes: []string{"999 99 99 99 9999 A"}, min: 4, max: 14, letters: lettersFirst | letterLast, check: true}, // the shape is of Nicaragua, around the date of birth
	{kind: DocDNI, shapes: []string{"9999 9999 99999"}, min: 6, max: 13, letters: letterLast},                                    // the shape is of Honduras: municipality, year, number
	{kind: DocNIE, shapes: []string{"A 9 999 999 A"}},
	{kind: DocDUI, min: 9, max: 9, check: true},
	{kind: DocDPI, shapes: []string{"9999 99999 9999"}},
	{kind: DocCURP, shapes: []string{"AAAA 99 99 99 A AA AAA *9"}},
	{kind: DocRFC, shapes: []string{"AAAA 99 99 99 ***", "AAA 99 99 99 ***"}},
	{kind: DocNIT, min: 5, max: 14, letters: letterLast, check: true},
	{kind: DocRUT, min: 7, max: 12, letters: letterLast, check: true, ends: true},
	{kind: DocRUC, min: 6, max: 16, check: true},
	{kind: DocRIF, min: 8, max: 10, letters: letterFirst, check: true},
	{kind: DocRTN, shapes: []string{"9999 9999 999999"}},
	{kind: DocCUIT, shapes: []string{"99 9999 9999 9"}},
	{kind: DocCUIL, shapes: []string{"99 9999 9999 9"}},
	{kind: DocPassport, min: 5, max: 15, letters: letterAnywhere},
	{kind: DocPlate, min: 4, max: 9, letters: letterAnywhere},
}

// Document says the number of a document, letters by the country's names and
// digits one by one: a NIT "900.123.456-7" is "nueve cero cero, uno dos tres,
// cuatro cinco seis, guion siete", a plate "ABC 123" "a be ce, uno dos tres".
// Pauses are where the text has points, spaces or hyphens, and otherwise where
// the kind is usually cut. A hyphen is said before a check digit.
//
// It says what it is given, a wrong check digit too: an agent reads back what it
// heard. A text that does not have the letters, digits and length of the kind is
// ErrSyntax. An unknown kind is ErrUnknown; for those there is [Speaker.Spell].
func (s *Speaker) Document(kind DocumentKind, text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendDocument(buf[:0], kind, text))
}

// AppendDocument appends what [Speaker.Document] says. On error dst is returned
// as it was.
func (s *Speaker) AppendDocument(dst []byte, kind DocumentKind, text string) ([]byte, error) {
	rule := documentRuleOf(kind)
	if rule == nil {
		return dst, parseError("kind of document", string(kind), ErrUnknown)
	}
	d, ok := readDocument(text)
	if !ok {
		return dst, parseError(string(rule.kind), text, ErrSyntax)
	}
	k := newCadence(dst)
	if shape := rule.shapeFor(&d); shape != "" {
		return s.sayShape(k, &d, shape).text, nil
	}
	if !rule.allows(&d) {
		return dst, parseError(string(rule.kind), text, ErrSyntax)
	}
	return s.sayRuns(k, &d, rule).text, nil
}

func documentRuleOf(kind DocumentKind) *documentRule {
	for i := range documentRules {
		if strings.EqualFold(string(documentRules[i].kind), string(kind)) {
			return &documentRules[i]
		}
	}
	return nil
}
