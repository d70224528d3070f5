package voice

import (
	"fmt"
	"reflect"
)

// Funcs returns functions for text/template and html/template:
//
//	Su saldo es {{money .Balance "COP"}} y vence el {{date .Due}}.
//
// Each is the method of the same name, but for int, ordinal and count, which
// take any kind of integer; count, which takes the nouns ({{count .N "cita"
// "citas" true}}, true for a feminine noun); and join, joinOr and top, which
// take a slice. Those that parse stop the template with their error. The map is
// new and the caller's to change.
func (s *Speaker) Funcs() map[string]any {
	return map[string]any{
		"int":      s.templateInt,
		"ordinal":  s.templateOrdinal,
		"count":    s.templateCount,
		"number":   func(text string) (string, error) { return s.Number(text) },
		"year":     s.Year,
		"decimal":  s.Decimal,
		"percent":  s.Percent,
		"quantity": s.Quantity,
		"money":    s.Money,
		"sayMoney": s.SayMoney,

		"date":        s.Date,
		"sayDate":     s.SayDate,
		"time":        s.Time,
		"sayTime":     s.SayTime,
		"dateTime":    s.DateTime,
		"sayDateTime": s.SayDateTime,
		"when":        s.When,
		"duration":    s.Duration,

		"digits": func(text string) (string, error) { return s.Digits(text) },
		"phone":  s.Phone,
		"code":   s.Code,
		"spell":  s.Spell,

		"text": s.Text,

		"join":   func(items []string) string { return Join(items...) },
		"joinOr": func(items []string) string { return JoinOr(items...) },
		"top":    func(items []string, n, total int) string { return Top(items, n, total) },
	}
}

// Funcs is [Speaker.Funcs] with the country's rules.
func (c Country) Funcs() map[string]any {
	s := c.speaker()
	return s.Funcs()
}

// Funcs is [Speaker.Funcs] in neutral Latin American Spanish.
func Funcs() map[string]any {
	var s Speaker
	return s.Funcs()
}

func (s *Speaker) templateInt(n any) (string, error) {
	i, err := toInt(n)
	return s.Int(i), err
}

func (s *Speaker) templateOrdinal(n any) (string, error) {
	i, err := toInt(n)
	return s.Ordinal(i), err
}

func (s *Speaker) templateCount(n any, singular, plural string, feminine ...bool) (string, error) {
	i, err := toInt(n)
	return s.Count(i, Noun{Singular: singular, Plural: plural, Feminine: len(feminine) > 0 && feminine[0]}), err
}

// toInt converts the integers of a template, where a variable keeps its type.
func toInt(n any) (int64, error) {
	switch v := reflect.ValueOf(n); {
	case v.CanInt():
		return v.Int(), nil
	case v.CanUint() && v.Uint() <= 1<<63-1:
		return int64(v.Uint()), nil
	}
	return 0, fmt.Errorf("voice: %v is no integer of 64 bits", n)
}
