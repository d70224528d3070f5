package voice_test

import (
	"fmt"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// phones are numbers of every country: a mobile, fixed lines, a toll-free one.
var phones = map[voice.Country][]string{
	voice.CO: {"+573001234567", "+576012345678", "+5718000910110", "018000910110", "01 8000 91 01 10", "(601) 234-5678 ext. 12", "123", "#611"},
	voice.MX: {"+525512345678", "+5215512345678", "+522291234567", "+528001234567", "55 1234 5678", "911", "*611"},
	voice.AR: {"+541143215678", "+5491143215678", "+543514123456", "+5493514123456", "+5492901412345", "+548001234567", "08001234567", "0800-123-4567", "1143215678", "02901412345", "011 15-4321-5678", "11 4321-5678 int. 204"},
	voice.CL: {"+56912345678", "+56223456789", "+56322123456", "+56800123456", "600 600 6000", "2 2345 6789, anexo 12"},
	voice.PE: {"+51987654321", "+5112345678", "+5144123456", "+5180012345", "(01) 234-5678 anexo 9"},
	voice.EC: {"+593991234567", "+59322345678", "099 123 4567", "1800 123 456"},
	voice.VE: {"+584121234567", "+582121234567", "0412-1234567", "0800-1234567"},
	voice.UY: {"+59894231234", "+59821234567", "094 231 234", "0800 1234"},
	voice.PY: {"+595981234567", "+595212345678", "+59521123456", "0981 234 567"},
	voice.BO: {"+59171234567", "+59122123456", "800101234"},
	voice.CR: {"+50683123456", "+50622123456", "800-123-4567"},
	voice.PA: {"+50761234567", "+5072001234"},
	voice.GT: {"+50251234567", "+50222456789"},
	voice.HN: {"+50499123456", "+50422123456"},
	voice.SV: {"+50371234567", "+50321234567", "800 1234"},
	voice.NI: {"+50581234567", "+50521234567"},
	voice.DO: {"+18095551234"},
	voice.PR: {"+17875551234"},
	voice.US: {"+12015550123", "(800) 555-1234 x12"},
	voice.ES: {"+34612345678", "+34912345678", "+34900123456", "112", "#31"},
	"":       {"+573001234567", "+442071838750", "+861012345678", "+79161234567", "300 123 4567", "3001234567", "tel:+573001234567;ext=12", "+44 (0)20 7183 8750"},
}

func TestGoldenPhones(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, c := range countries {
		lines = append(lines, sayer(c.Phone).lines(c, "phone", phones[c]...)...)
		lines = append(lines, sayer(c.With(voice.International()).Phone).lines(c, "international", phones[c][:min(2, len(phones[c]))]...)...)
	}
	lines = append(lines, sayer(voice.CO.Phone).lines(voice.CO, "phone",
		"+525512345678", "+5491143215678", "+570000000000", "+1", "+123456", "+1234567890123456", "1", "", "+", "*", "3OO1234567", "300-123-4567 y más",
		"(+57) 300 123 4567", "(3001234567)", "(300) 123 (4567)", "(300", "300 123 4567)", "((300) 1234567", "300) 1234567", "- 300 123 4567", "300    1234567", "300 123 4567 x 2", "300 123 4567 ext", "300 123 4567 ext 12345678", "300 123 4567 ", "３００1234567")...)
	golden(t, "phones", lines)
}

func TestGoldenDigits(t *testing.T) {
	t.Parallel()
	const co = voice.CO
	var lines []string
	add := func(more ...string) { lines = append(lines, more...) }

	grouped := func(sizes ...int) sayer {
		return func(text string) (string, error) { return co.Digits(text, sizes...) }
	}
	add(grouped().lines(co, "digits", "0042", "1", "4821-93", "1.020.345", "12a", "", " - ", "１２")...)
	add(grouped(3).lines(co, "threes", "482193", "1020345678", "12-34-56")...)
	add(grouped(3, 3, 4).lines(co, "3 3 4", "3001234567", "30012345678901")...)
	add(grouped(0).lines(co, "none", "123")...)
	add(sayer(co.Pairs).lines(co, "pairs", "511527", "520280", "12345", "7", "00", "51-1-527", "5x")...)
	add(sayer(co.Code).lines(co, "code",
		"4821", "48213", "482193", "4821937", "48219374", "482193746", "4821937465", "A7K9", "aB3", "G-482193", "ABC 123", "Clave#1", "ñandú", "7☃", "", " ")...)
	for _, c := range countries {
		add(line(c, "spell bvwyñ#", c.Spell("bvwyñ#"), nil))
	}
	for _, text := range []string{"ABC 123", "Bogotá", "pingüino", "n\u0303u\u0308a\u0301", "juan.perez_2@ejemplo.com", "ÁÇ", "日本", "a\xffb\u00ad\u0302c", "a\tb\n", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~€", "", "  "} {
		add(line(co, fmt.Sprintf("spell %q", text), co.Spell(text), nil))
	}
	golden(t, "digits", lines)
}

func TestGoldenDocuments(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, test := range []struct {
		country voice.Country
		kind    voice.DocumentKind
		texts   []string
	}{
		{voice.CO, voice.DocCedula, []string{"1020345678", "1.020.345.678", "79 123 456", "12", "10203A5678"}},
		{voice.VE, voice.DocCedula, []string{"V-12345678", "v12345678"}},
		{voice.UY, voice.DocCedula, []string{"1.234.567-8"}},
		{voice.DO, voice.DocCedula, []string{"001-1234567-8"}},
		{voice.NI, voice.DocCedula, []string{"001-010180-0001X"}},
		{voice.PA, voice.DocCedula, []string{"8-123-456", "E-8-12345", "PE-12-345", "ABC-12-345"}},
		{voice.CO, voice.DocNIT, []string{"900.123.456-7", "900123456-7", "9001234567", "900123456", "900-12-3456", "900123456-", "NIT 900"}},
		{voice.GT, voice.DocNIT, []string{"1234567-K"}},
		{voice.CL, voice.DocRUT, []string{"12.345.678-5", "12.345.678-K", "12345678k", "1-9"}},
		{voice.UY, voice.DocRUT, []string{"211234560017"}},
		{voice.AR, voice.DocDNI, []string{"12.345.678", "12345678"}},
		{voice.HN, voice.DocDNI, []string{"0801-1990-12345", "0801199012345"}},
		{voice.PE, voice.DocDNI, []string{"45678912"}},
		{voice.ES, voice.DocDNI, []string{"12345678Z", "12345678-Z"}},
		{voice.ES, voice.DocNIE, []string{"X1234567L", "X-1234567-L", "1234567L"}},
		{voice.AR, voice.DocCUIT, []string{"20-12345678-9", "20123456789", "20-1234567-9"}},
		{voice.AR, voice.DocCUIL, []string{"27-12345678-4"}},
		{voice.PE, voice.DocRUC, []string{"20123456789"}},
		{voice.PY, voice.DocRUC, []string{"80012345-6"}},
		{voice.EC, voice.DocRUC, []string{"1712345678001"}},
		{voice.VE, voice.DocRIF, []string{"J-12345678-9"}},
		{voice.SV, voice.DocDUI, []string{"01234567-8"}},
		{voice.GT, voice.DocDPI, []string{"1234 56789 0101"}},
		{voice.HN, voice.DocRTN, []string{"08011985123456"}},
		{voice.MX, voice.DocRFC, []string{"GODE561231GR8", "ABC010203AB9", "Ñ&V010203AB9", "GODE561231GR"}},
		{voice.MX, voice.DocCURP, []string{"GODE561231HVZRRN09", "GODE561231"}},
		{voice.CO, voice.DocPassport, []string{"AR123456", "PE 0123456"}},
		{voice.CO, voice.DocPlate, []string{"ABC 123", "abc123", "ABC-12D", "A&C123"}},
		{voice.AR, voice.DocPlate, []string{"AB 123 CD", "AB123CD"}},
		{voice.CO, "NIT", []string{"900123456-7"}},
		{voice.CO, "otro", []string{"1"}},
	} {
		say := sayer(func(text string) (string, error) { return test.country.Document(test.kind, text) })
		lines = append(lines, say.lines(test.country, string(test.kind), test.texts...)...)
	}
	for _, test := range []struct {
		text string
		show int
	}{
		{"4111 1111 1111 4821", 4}, {"**** 4821", 4}, {"XXXX-XXXX-XXXX-4821", 4}, {"3001234567", 2}, {"ABC123", 3}, {"12345-678", 4},
		{"4821", 4}, {" -4821", 4}, {"4821", 0}, {"4821", -1}, {"**48", 3}, {"", 4}, {"ñ12345", 9},
	} {
		got, err := voice.CO.Masked(test.text, test.show)
		lines = append(lines, line(voice.CO, "masked "+test.text, got, err))
	}
	got, err := voice.CO.Masked("3001234567", 4, voice.Masculine)
	lines = append(lines, line(voice.CO, "masked, masculine", got, err))
	golden(t, "documents", lines)
}
