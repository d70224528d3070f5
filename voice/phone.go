package voice

import "strings"

// Phone says a phone number digit by digit, with pauses where the country makes
// them: "+573001234567" is "tres cero cero, uno dos tres, cuatro cinco seis
// siete" in Colombia.
//
// A number in international form (ITU E.164, with or without separators) that
// belongs to the speaker's country is said as it is dialled there, with its
// trunk zero if it has one. A foreign one, and every one with [International],
// begins with the calling code: "más cinco siete". The neutral speaker has no
// country and says the code always.
//
// A number without a plus is said as it is written, as a number of the country
// where it is one: "(601) 234-5678", "01 8000 910 110", and short codes such as
// "123" and "*611". An extension follows: "ext. 12" is "extensión uno dos".
//
// ErrSyntax is for anything else, ErrRange for too few or too many digits.
// Whether a number exists is not checked.
func (s *Speaker) Phone(text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendPhone(buf[:0], text))
}

// AppendPhone appends what [Speaker.Phone] says. On error dst is returned as it
// was.
func (s *Speaker) AppendPhone(dst []byte, text string) ([]byte, error) {
	p, width, err := scanPhone(text)
	if err == nil && (width != len(text) || strings.Count(text, "(") != strings.Count(text, ")")) {
		err = ErrSyntax
	}
	if err != nil {
		return dst, parseError("phone", text, err)
	}
	return s.appendPhone(dst, &p), nil
}

func (s *Speaker) appendPhone(dst []byte, p *phoneNumber) []byte {
	k := newCadence(dst)
	if p.international {
		k = s.sayInternational(k, string(p.digits()))
	} else {
		k = s.sayWritten(k, p)
	}
	if p.extension != "" {
		k = k.say(s.rules().extension)
		k = k.sayGroups(p.extension, "4")
	}
	return k.text
}

func (s *Speaker) sayInternational(k cadence, number string) cadence {
	calling := callingCode(number)
	national := number[len(calling):]
	if calling == "52" && len(national) == 11 && national[0] == '1' {
		national = national[1:] // the 1 of mobiles, not dialled since 2019 (IFT) and still stored by many
	}
	if calling == s.rules().calling && !s.international {
		return s.sayNational(k, calling, national)
	}
	k = k.say("más")
	k = k.sayGroups(calling, "3")
	if calling == "54" && isArgentine(national) {
		return k.sayArgentine(national, true)
	}
	sizes := otherSizes(len(national))
	if plan := phonePlanOf(calling, national); plan != nil {
		sizes = plan.sizes
	}
	return k.sayGroups(national, sizes)
}

// sayNational says a number as it is dialled inside its country.
func (s *Speaker) sayNational(k cadence, calling, national string) cadence {
	if calling == "57" && strings.HasPrefix(national, "18000") {
		return k.sayColombianTollFree(national[len("18000"):])
	}
	if calling == "54" && isArgentine(national) {
		return k.sayArgentine(national, false)
	}
	plan := phonePlanOf(calling, national)
	if plan == nil {
		return k.sayGroups(national, otherSizes(len(national)))
	}
	if plan.trunk != "" {
		k = k.say(digitName(plan.trunk[0]))
	}
	return k.sayGroups(national, plan.sizes)
}

// sayColombianTollFree says a line 01 8000 as Colombians do: "cero uno, ocho
// mil", and then the digits.
func (k cadence) sayColombianTollFree(rest string) cadence {
	k = k.sayGroups("01", "2")
	k = k.say("ocho mil")
	k = k.rest()
	return k.sayGroups(rest, otherSizes(len(rest)))
}

// sayWritten says a number without a calling code: all its digits and no others.
func (s *Speaker) sayWritten(k cadence, p *phoneNumber) cadence {
	if p.sign != 0 {
		k = k.say(s.signName(rune(p.sign)))
	}
	number := string(p.digits())
	calling := s.rules().calling
	if calling == "57" && strings.HasPrefix(number, "018000") {
		return k.sayColombianTollFree(number[len("018000"):])
	}
	if rest := strings.TrimPrefix(number, "0"); calling == "54" && len(rest) == 10 && p.breaks == 0 {
		n := argentineAreaWidth(rest)
		if len(rest) < len(number) {
			k = k.say(digitName('0'))
		}
		return k.sayGroups(rest[:n], "4").sayGroups(rest[n:], otherSizes(len(rest)-n))
	}
	if plan := phonePlanOf(calling, number); plan != nil {
		return k.sayGroups(number, plan.sizes)
	}
	if rest, zero := strings.CutPrefix(number, "0"); zero {
		if plan := phonePlanOf(calling, rest); plan != nil && plan.trunk == "0" {
			return k.say(digitName('0')).sayGroups(rest, plan.sizes)
		}
	}
	if p.breaks == 0 {
		return k.sayGroups(number, otherSizes(len(number)))
	}
	for i := range len(number) {
		k = k.say(digitName(number[i]))
		if p.breaks>>i&1 == 1 {
			k = k.rest()
		}
	}
	return k.rest()
}
