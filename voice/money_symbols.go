package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// symbol is a sign of a currency beside a number.
type symbol struct {
	text, code string
	only       Country // where it means that, everywhere when empty
	place      place
}

// place is where a symbol may stand.
type place uint8

const (
	anywhere place = iota
	before
	after
)

// symbols holds longer texts before those they begin with. The bare "$" is not
// among them: it depends on the speaker.
var symbols = [...]symbol{
	{text: "US$", code: "USD"},
	{text: "U$S", code: "USD"},
	{text: "u$s", code: "USD"},
	{text: "U$D", code: "USD"},
	{text: "$us", code: "USD", only: BO},
	{text: "$US", code: "USD"},
	{text: "RD$", code: "DOP"},
	{text: "MX$", code: "MXN"},
	{text: "Mex$", code: "MXN"},
	{text: "COL$", code: "COP"},
	{text: "Col$", code: "COP"},
	{text: "AR$", code: "ARS"},
	{text: "$U", code: "UYU"},
	{text: "C$", code: "NIO", only: NI}, // elsewhere also the Canadian dollar
	{text: "R$", code: "BRL"},
	{text: "S/.", code: "PEN"},
	{text: "S/", code: "PEN"},
	{text: "B/.", code: "PAB"},
	{text: "Bs.", code: "BOB", only: BO},
	{text: "Bs", code: "BOB", only: BO},
	{text: "Bs.D", code: "VED", only: VE},
	{text: "Bs.", code: "VES", only: VE},
	{text: "Bs", code: "VES", only: VE},
	{text: "₡", code: "CRC"},
	{text: "¢", code: "CRC", only: CR},
	{text: "₲", code: "PYG"},
	{text: "Gs.", code: "PYG"},
	{text: "Gs", code: "PYG"},
	{text: "Q.", code: "GTQ", only: GT, place: before},
	{text: "Q", code: "GTQ", only: GT, place: before},
	{text: "Lps.", code: "HNL"},
	{text: "Lps", code: "HNL"},
	{text: "L.", code: "HNL", only: HN, place: before},
	{text: "L", code: "HNL", only: HN, place: before},
	{text: "UF", code: "CLF", only: CL}, // unidad de fomento, in which rents and insurance are set
	{text: "UVR", code: "COU", only: CO},
	{text: "€", code: "EUR"},
	{text: "£", code: "GBP"},
	{text: "¥", code: "JPY"},                  // CLDR 48 (es): the yuan is CN¥ there
	{text: "M.N.", code: "MXN", place: after}, // moneda nacional
	{text: "m.n.", code: "MXN", place: after},
	{text: "M.N", code: "MXN", place: after},
	{text: "MN", code: "MXN", place: after},
	{text: "M/CTE", code: "COP", place: after}, // moneda corriente
	{text: "M/Cte", code: "COP", place: after},
	{text: "M/cte", code: "COP", place: after},
	{text: "m/cte", code: "COP", place: after},
}

// mark is what the text beside a number says about its currency.
type mark struct {
	code  string // empty when several are possible
	width int    // bytes, 0 when there is no mark
	weak  bool   // a bare "$", which gives way to a code of a peso or dollar
}

// scanMark reads a symbol, a code of ISO 4217 with or without "$", or a bare
// "$" at the start of s.
func (s *Speaker) scanMark(text string, where place) mark {
	if text == "" {
		return mark{}
	}
	for i := range symbols {
		sym := &symbols[i]
		if text[0] != sym.text[0] || sym.place != anywhere && sym.place != where || sym.only != "" && sym.only != s.rules().country {
			continue
		}
		if rest, ok := strings.CutPrefix(text, sym.text); ok && !startsWithLetter(rest) {
			return mark{code: sym.code, width: len(sym.text)}
		}
	}
	if len(text) >= 3 && isUpper(text[0]) && isUpper(text[1]) && isUpper(text[2]) && !startsWithLetter(text[3:]) {
		if c := findCurrency(text[:3]); c != nil {
			width := 3
			if strings.HasPrefix(text[3:], "$") {
				width++
			}
			return mark{code: c.code, width: width}
		}
	}
	if strings.HasPrefix(text, "$") {
		return mark{code: s.dollar(), width: 1, weak: true}
	}
	return mark{}
}

// tenderCode is the currency of amounts that name none, empty in doubt.
func (s *Speaker) tenderCode() string {
	if s.tender != "" {
		return s.tender
	}
	return s.rules().tender
}

// dollar is the currency of a bare "$", empty in doubt.
func (s *Speaker) dollar() string {
	if findCurrency(s.tender).usesDollarSign() {
		return s.tender
	}
	return s.rules().dollar
}

// usesDollarSign reports whether amounts of c, which may be nil, are written
// with "$".
func (c *currency) usesDollarSign() bool {
	return c != nil && (c.one == "peso" || strings.Contains(c.one, "dólar"))
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}
