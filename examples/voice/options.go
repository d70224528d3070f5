package main

import (
	"fmt"

	"github.com/portavoz/portavoz/voice"
)

// options are what a question may ask for beside its kind.
type options struct {
	As            string         `json:"as"`            // kind invalid: the kind to try
	Country       *voice.Country `json:"country"`       // ISO 3166
	Gender        string         `json:"gender"`        // m or f
	BeforeNoun    bool           `json:"before_noun"`   // veintiún
	Noun          *noun          `json:"noun"`          // what is counted
	Currency      string         `json:"currency"`      // ISO 4217
	Name          string         `json:"name"`          // long: pesos colombianos
	Rounding      string         `json:"rounding"`      // half_up or half_even
	Unit          string         `json:"unit"`          // km, GB, ...
	Weekday       *bool          `json:"weekday"`       // false leaves it out
	Year          bool           `json:"year"`          // true says it
	TZ            string         `json:"tz"`            // IANA name
	Now           string         `json:"now"`           // RFC 3339; default: now
	WithTime      bool           `json:"with_time"`     // of a relative date
	Mode          string         `json:"mode"`          // digits or pairs
	Group         int            `json:"group"`         // digits between pauses
	International bool           `json:"international"` // with the calling code
}

type noun struct {
	Singular string `json:"singular"`
	Plural   string `json:"plural"`
	Gender   string `json:"gender"`
	TonicA   bool   `json:"tonic_a"`
}

func (n *noun) noun() voice.Noun {
	return voice.Noun{Singular: n.Singular, Plural: n.Plural, Feminine: n.Gender == "f", TonicA: n.TonicA}
}

// speaker is the one that a question asks for.
func (s *session) speaker(o *options) (*voice.Speaker, error) {
	country := s.country
	if o.Country != nil {
		var err error
		if country, err = voice.ParseCountry(string(*o.Country)); err != nil {
			return nil, err
		}
	}
	var tuned []voice.Option
	add := func(wanted bool, option voice.Option) {
		if wanted {
			tuned = append(tuned, option)
		}
	}
	if o.TZ != "" {
		zone, err := s.zones.Zone(o.TZ)
		if err != nil {
			return nil, err
		}
		add(true, voice.In(zone))
	}
	switch o.Rounding {
	case "", "half_up", "half_even":
	default:
		return nil, fmt.Errorf("rounding %q is neither half_up nor half_even", o.Rounding)
	}
	add(o.Rounding == "half_up", voice.Round(voice.HalfUp))
	add(o.Rounding == "half_even", voice.Round(voice.HalfEven))
	add(o.Name == "long", voice.LongNames())
	add(o.Year, voice.WithYear())
	add(o.Weekday != nil && !*o.Weekday, voice.WithoutWeekday())
	add(o.International, voice.International())
	return country.With(tuned...), nil
}
