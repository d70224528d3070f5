package voice

import "time"

// Date is [Speaker.Date] with the country's rules.
func (c Country) Date(t time.Time) string {
	s := c.speaker()
	return s.Date(t)
}

// AppendDate is [Speaker.AppendDate] with the country's rules.
func (c Country) AppendDate(dst []byte, t time.Time) []byte {
	s := c.speaker()
	return s.AppendDate(dst, t)
}

// SayDate is [Speaker.SayDate] with the country's rules.
func (c Country) SayDate(iso string) (string, error) {
	s := c.speaker()
	return s.SayDate(iso)
}

// AppendSayDate is [Speaker.AppendSayDate] with the country's rules.
func (c Country) AppendSayDate(dst []byte, iso string) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayDate(dst, iso)
}

// DateRange is [Speaker.DateRange] with the country's rules.
func (c Country) DateRange(a, b time.Time) string {
	s := c.speaker()
	return s.DateRange(a, b)
}

// AppendDateRange is [Speaker.AppendDateRange] with the country's rules.
func (c Country) AppendDateRange(dst []byte, a, b time.Time) []byte {
	s := c.speaker()
	return s.AppendDateRange(dst, a, b)
}

// SayDateRange is [Speaker.SayDateRange] with the country's rules.
func (c Country) SayDateRange(from, to string) (string, error) {
	s := c.speaker()
	return s.SayDateRange(from, to)
}

// AppendSayDateRange is [Speaker.AppendSayDateRange] with the country's rules.
func (c Country) AppendSayDateRange(dst []byte, from, to string) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayDateRange(dst, from, to)
}

// Time is [Speaker.Time] with the country's rules.
func (c Country) Time(t time.Time) string {
	s := c.speaker()
	return s.Time(t)
}

// AppendTime is [Speaker.AppendTime] with the country's rules.
func (c Country) AppendTime(dst []byte, t time.Time) []byte {
	s := c.speaker()
	return s.AppendTime(dst, t)
}

// SayTime is [Speaker.SayTime] with the country's rules.
func (c Country) SayTime(text string) (string, error) {
	s := c.speaker()
	return s.SayTime(text)
}

// AppendSayTime is [Speaker.AppendSayTime] with the country's rules.
func (c Country) AppendSayTime(dst []byte, text string) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayTime(dst, text)
}

// TimeRange is [Speaker.TimeRange] with the country's rules.
func (c Country) TimeRange(a, b time.Time) string {
	s := c.speaker()
	return s.TimeRange(a, b)
}

// AppendTimeRange is [Speaker.AppendTimeRange] with the country's rules.
func (c Country) AppendTimeRange(dst []byte, a, b time.Time) []byte {
	s := c.speaker()
	return s.AppendTimeRange(dst, a, b)
}

// SayTimeRange is [Speaker.SayTimeRange] with the country's rules.
func (c Country) SayTimeRange(from, to string) (string, error) {
	s := c.speaker()
	return s.SayTimeRange(from, to)
}

// AppendSayTimeRange is [Speaker.AppendSayTimeRange] with the country's rules.
func (c Country) AppendSayTimeRange(dst []byte, from, to string) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayTimeRange(dst, from, to)
}

// DateTime is [Speaker.DateTime] with the country's rules.
func (c Country) DateTime(t time.Time) string {
	s := c.speaker()
	return s.DateTime(t)
}

// AppendDateTime is [Speaker.AppendDateTime] with the country's rules.
func (c Country) AppendDateTime(dst []byte, t time.Time) []byte {
	s := c.speaker()
	return s.AppendDateTime(dst, t)
}

// SayDateTime is [Speaker.SayDateTime] with the country's rules.
func (c Country) SayDateTime(iso string) (string, error) {
	s := c.speaker()
	return s.SayDateTime(iso)
}

// AppendSayDateTime is [Speaker.AppendSayDateTime] with the country's rules.
func (c Country) AppendSayDateTime(dst []byte, iso string) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayDateTime(dst, iso)
}

// DateTimeRange is [Speaker.DateTimeRange] with the country's rules.
func (c Country) DateTimeRange(a, b time.Time) string {
	s := c.speaker()
	return s.DateTimeRange(a, b)
}

// AppendDateTimeRange is [Speaker.AppendDateTimeRange] with the country's rules.
func (c Country) AppendDateTimeRange(dst []byte, a, b time.Time) []byte {
	s := c.speaker()
	return s.AppendDateTimeRange(dst, a, b)
}

// When is [Speaker.When] with the country's rules.
func (c Country) When(t, now time.Time) string {
	s := c.speaker()
	return s.When(t, now)
}

// AppendWhen is [Speaker.AppendWhen] with the country's rules.
func (c Country) AppendWhen(dst []byte, t, now time.Time) []byte {
	s := c.speaker()
	return s.AppendWhen(dst, t, now)
}

// RelativeDay is [Speaker.RelativeDay] with the country's rules.
func (c Country) RelativeDay(t, now time.Time) string {
	s := c.speaker()
	return s.RelativeDay(t, now)
}

// AppendRelativeDay is [Speaker.AppendRelativeDay] with the country's rules.
func (c Country) AppendRelativeDay(dst []byte, t, now time.Time) []byte {
	s := c.speaker()
	return s.AppendRelativeDay(dst, t, now)
}

// SayWhen is [Speaker.SayWhen] with the country's rules.
func (c Country) SayWhen(iso string, now time.Time) (string, error) {
	s := c.speaker()
	return s.SayWhen(iso, now)
}

// AppendSayWhen is [Speaker.AppendSayWhen] with the country's rules.
func (c Country) AppendSayWhen(dst []byte, iso string, now time.Time) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayWhen(dst, iso, now)
}

// Duration is [Speaker.Duration] with the country's rules.
func (c Country) Duration(d time.Duration) string {
	s := c.speaker()
	return s.Duration(d)
}

// AppendDuration is [Speaker.AppendDuration] with the country's rules.
func (c Country) AppendDuration(dst []byte, d time.Duration) []byte {
	s := c.speaker()
	return s.AppendDuration(dst, d)
}

// SayDuration is [Speaker.SayDuration] with the country's rules.
func (c Country) SayDuration(iso string) (string, error) {
	s := c.speaker()
	return s.SayDuration(iso)
}

// AppendSayDuration is [Speaker.AppendSayDuration] with the country's rules.
func (c Country) AppendSayDuration(dst []byte, iso string) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayDuration(dst, iso)
}
