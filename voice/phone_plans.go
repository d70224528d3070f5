package voice

import "strings"

// phonePlan says how numbers of one kind are grouped in a country: those of
// the given length whose national number begins with lead.
type phonePlan struct {
	calling string // country calling code (ITU E.164)
	lead    string
	length  int
	trunk   string // dialled before it inside the country, and so spoken there
	sizes   string // of the groups, one digit each, the last repeating
}

// phonePlans are the national formats of libphonenumber's metadata, cut into
// groups that an ear can hold. Of two that fit the first counts. Argentina, with
// area codes of two to four digits, is in phone_argentina.go.
var phonePlans = [...]phonePlan{
	{"1", "", 10, "", "334"}, // North American Numbering Plan

	{"34", "800", 9, "", "3"}, {"34", "900", 9, "", "3"}, {"34", "", 9, "", "3222"},

	{"51", "9", 9, "", "3"}, {"51", "1", 8, "0", "134"}, {"51", "80", 8, "0", "323"}, {"51", "", 8, "0", "23"},

	{"52", "55", 10, "", "244"}, {"52", "56", 10, "", "244"}, {"52", "33", 10, "", "244"}, {"52", "81", 10, "", "244"},
	{"52", "", 10, "", "334"},

	{"56", "9", 9, "", "144"}, {"56", "2", 9, "", "144"}, {"56", "8", 9, "", "3"}, {"56", "", 9, "", "234"},
	{"56", "600", 10, "", "334"},

	{"57", "", 10, "", "334"},

	{"58", "", 10, "0", "3322"},

	{"502", "", 8, "", "4"}, {"503", "", 8, "", "4"}, {"503", "", 7, "", "34"}, {"504", "", 8, "", "4"},
	{"505", "", 8, "", "4"}, {"506", "", 8, "", "4"}, {"506", "", 10, "", "334"},
	{"507", "", 8, "", "4"}, {"507", "", 7, "", "34"}, {"507", "", 10, "", "334"},

	{"591", "2", 8, "", "134"}, {"591", "3", 8, "", "134"}, {"591", "4", 8, "", "134"}, {"591", "", 8, "", "4"},
	{"591", "800", 9, "", "3"},

	{"593", "9", 9, "0", "234"}, {"593", "", 8, "0", "134"}, {"593", "1", 10, "", "433"},

	{"595", "9", 9, "0", "3"}, {"595", "21", 9, "0", "234"}, {"595", "21", 8, "0", "233"}, {"595", "", 9, "0", "3"},

	{"598", "9", 8, "0", "233"}, {"598", "", 8, "", "4"}, {"598", "", 7, "0", "34"},
}

// phonePlanOf returns the plan of a national number, or nil.
func phonePlanOf(calling, national string) *phonePlan {
	for i := range phonePlans {
		p := &phonePlans[i]
		if p.length == len(national) && p.calling == calling && strings.HasPrefix(national, p.lead) {
			return p
		}
	}
	return nil
}

// otherSizes groups a number that no plan knows: threes, and fours at the end
// where a three would leave one or two alone.
func otherSizes(length int) string {
	switch length % 3 {
	case 0:
		return "3"
	case 1:
		return [...]string{"4", "4", "34", "334", "3334", "33334"}[length/3]
	default:
		return [...]string{"4", "5", "44", "344", "3344", "33344"}[length/3]
	}
}

// callingCode returns the country calling code that an international number
// begins with. They are one digit in the zones 1 and 7, two where the first two
// digits are in the list, and three elsewhere (ITU E.164, Annex to OB 994).
func callingCode(number string) string {
	const two = "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 " +
		"60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98"
	switch {
	case number[0] == '1' || number[0] == '7':
		return number[:1]
	case strings.Contains(two, number[:2]):
		return number[:2]
	default:
		return number[:3]
	}
}
