package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/portavoz/portavoz/voice"
)

// say answers a question.
func (s *session) say(q *request) (got string, removed []voice.Piece, err error) {
	text, err := q.text()
	if err != nil {
		return "", nil, err
	}
	speaker, err := s.speaker(&q.Options)
	if err != nil {
		return "", nil, err
	}
	kind := q.Kind
	if kind == "invalid" {
		kind = q.Options.As
	}
	if kind == "" || kind == "text" {
		result := speaker.Clean(text)
		return result.Text, result.Removed, nil
	}
	got, err = sayKind(speaker, kind, text, &q.Options)
	return got, nil, err
}

func sayKind(speaker *voice.Speaker, kind, text string, o *options) (string, error) {
	switch kind {
	case "cardinal_masc", "cardinal_fem", "cardinal_noun_masc":
		return sayCardinal(speaker, kind, text, o)
	case "ordinal_masc", "ordinal_fem":
		n, err := strconv.ParseInt(text, 10, 64)
		return speaker.Ordinal(n, o.form(kind)), err
	case "money":
		return speaker.Money(text, o.Currency)
	case "decimal":
		return speaker.Decimal(text)
	case "percent":
		return speaker.Percent(text)
	case "quantity":
		return speaker.Quantity(text, o.Unit)
	case "year":
		n, err := strconv.Atoi(text)
		return speaker.Year(n), err
	case "date":
		return speaker.SayDate(text)
	case "time":
		return speaker.SayTime(text)
	case "datetime":
		return speaker.SayDateTime(text)
	case "duration":
		return speaker.SayDuration(text)
	case "relative_date":
		return sayRelative(speaker, text, o)
	case "phone":
		return speaker.Phone(text)
	case "digits":
		return sayDigits(speaker, text, o)
	default:
		return "", fmt.Errorf("kind %q is not known", kind)
	}
}

func sayCardinal(speaker *voice.Speaker, kind, text string, o *options) (string, error) {
	if o.Noun != nil {
		n, err := strconv.ParseInt(text, 10, 64)
		return speaker.Count(n, o.Noun.noun()), err
	}
	return speaker.Number(text, o.form(kind))
}

// form is the one that the kind and the options ask for.
func (o *options) form(kind string) voice.Form {
	form := voice.Masculine
	if o.Gender == "f" || strings.HasSuffix(kind, "_fem") {
		form |= voice.Feminine
	}
	if o.BeforeNoun || kind == "cardinal_noun_masc" {
		form |= voice.BeforeNoun
	}
	return form
}

// sayRelative says a day as seen from another. Without with_time only the day of
// a date-time counts.
func sayRelative(speaker *voice.Speaker, text string, o *options) (string, error) {
	now := time.Now()
	if o.Now != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, o.Now); err != nil {
			return "", err
		}
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil && !o.WithTime {
		return speaker.RelativeDay(at, now), nil
	}
	return speaker.SayWhen(text, now)
}

func sayDigits(speaker *voice.Speaker, text string, o *options) (string, error) {
	switch {
	case o.Mode == "pairs":
		return speaker.Pairs(text)
	case o.Mode != "" && o.Mode != "digits":
		return "", fmt.Errorf("mode %q is neither digits nor pairs", o.Mode)
	case o.Group > 0:
		return speaker.Digits(text, o.Group)
	default:
		return speaker.Digits(text)
	}
}
