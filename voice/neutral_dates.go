package voice

import "time"

// Date is [Speaker.Date] in neutral Latin American Spanish.
func Date(t time.Time) string {
	var s Speaker
	return s.Date(t)
}

// AppendDate is [Speaker.AppendDate] in neutral Latin American Spanish.
func AppendDate(dst []byte, t time.Time) []byte {
	var s Speaker
	return s.AppendDate(dst, t)
}

// SayDate is [Speaker.SayDate] in neutral Latin American Spanish.
func SayDate(iso string) (string, error) {
	var s Speaker
	return s.SayDate(iso)
}

// AppendSayDate is [Speaker.AppendSayDate] in neutral Latin American Spanish.
func AppendSayDate(dst []byte, iso string) ([]byte, error) {
	var s Speaker
	return s.AppendSayDate(dst, iso)
}

// DateRange is [Speaker.DateRange] in neutral Latin American Spanish.
func DateRange(a, b time.Time) string {
	var s Speaker
	return s.DateRange(a, b)
}

// AppendDateRange is [Speaker.AppendDateRange] in neutral Latin American Spanish.
func AppendDateRange(dst []byte, a, b time.Time) []byte {
	var s Speaker
	return s.AppendDateRange(dst, a, b)
}

// SayDateRange is [Speaker.SayDateRange] in neutral Latin American Spanish.
func SayDateRange(from, to string) (string, error) {
	var s Speaker
	return s.SayDateRange(from, to)
}

// AppendSayDateRange is [Speaker.AppendSayDateRange] in neutral Latin American Spanish.
func AppendSayDateRange(dst []byte, from, to string) ([]byte, error) {
	var s Speaker
	return s.AppendSayDateRange(dst, from, to)
}

// Time is [Speaker.Time] in neutral Latin American Spanish.
func Time(t time.Time) string {
	var s Speaker
	return s.Time(t)
}

// AppendTime is [Speaker.AppendTime] in neutral Latin American Spanish.
func AppendTime(dst []byte, t time.Time) []byte {
	var s Speaker
	return s.AppendTime(dst, t)
}

// SayTime is [Speaker.SayTime] in neutral Latin American Spanish.
func SayTime(text string) (string, error) {
	var s Speaker
	return s.SayTime(text)
}

// AppendSayTime is [Speaker.AppendSayTime] in neutral Latin American Spanish.
func AppendSayTime(dst []byte, text string) ([]byte, error) {
	var s Speaker
	return s.AppendSayTime(dst, text)
}

// TimeRange is [Speaker.TimeRange] in neutral Latin American Spanish.
func TimeRange(a, b time.Time) string {
	var s Speaker
	return s.TimeRange(a, b)
}

// AppendTimeRange is [Speaker.AppendTimeRange] in neutral Latin American Spanish.
func AppendTimeRange(dst []byte, a, b time.Time) []byte {
	var s Speaker
	return s.AppendTimeRange(dst, a, b)
}

// SayTimeRange is [Speaker.SayTimeRange] in neutral Latin American Spanish.
func SayTimeRange(from, to string) (string, error) {
	var s Speaker
	return s.SayTimeRange(from, to)
}

// AppendSayTimeRange is [Speaker.AppendSayTimeRange] in neutral Latin American Spanish.
func AppendSayTimeRange(dst []byte, from, to string) ([]byte, error) {
	var s Speaker
	return s.AppendSayTimeRange(dst, from, to)
}

// DateTime is [Speaker.DateTime] in neutral Latin American Spanish.
func DateTime(t time.Time) string {
	var s Speaker
	return s.DateTime(t)
}

// AppendDateTime is [Speaker.AppendDateTime] in neutral Latin American Spanish.
func AppendDateTime(dst []byte, t time.Time) []byte {
	var s Speaker
	return s.AppendDateTime(dst, t)
}

// SayDateTime is [Speaker.SayDateTime] in neutral Latin American Spanish.
func SayDateTime(iso string) (string, error) {
	var s Speaker
	return s.SayDateTime(iso)
}

// AppendSayDateTime is [Speaker.AppendSayDateTime] in neutral Latin American Spanish.
func AppendSayDateTime(dst []byte, iso string) ([]byte, error) {
	var s Speaker
	return s.AppendSayDateTime(dst, iso)
}

// DateTimeRange is [Speaker.DateTimeRange] in neutral Latin American Spanish.
func DateTimeRange(a, b time.Time) string {
	var s Speaker
	return s.DateTimeRange(a, b)
}

// AppendDateTimeRange is [Speaker.AppendDateTimeRange] in neutral Latin American Spanish.
func AppendDateTimeRange(dst []byte, a, b time.Time) []byte {
	var s Speaker
	return s.AppendDateTimeRange(dst, a, b)
}

// When is [Speaker.When] in neutral Latin American Spanish.
func When(t, now time.Time) string {
	var s Speaker
	return s.When(t, now)
}

// AppendWhen is [Speaker.AppendWhen] in neutral Latin American Spanish.
func AppendWhen(dst []byte, t, now time.Time) []byte {
	var s Speaker
	return s.AppendWhen(dst, t, now)
}

// RelativeDay is [Speaker.RelativeDay] in neutral Latin American Spanish.
func RelativeDay(t, now time.Time) string {
	var s Speaker
	return s.RelativeDay(t, now)
}

// AppendRelativeDay is [Speaker.AppendRelativeDay] in neutral Latin American Spanish.
func AppendRelativeDay(dst []byte, t, now time.Time) []byte {
	var s Speaker
	return s.AppendRelativeDay(dst, t, now)
}

// SayWhen is [Speaker.SayWhen] in neutral Latin American Spanish.
func SayWhen(iso string, now time.Time) (string, error) {
	var s Speaker
	return s.SayWhen(iso, now)
}

// AppendSayWhen is [Speaker.AppendSayWhen] in neutral Latin American Spanish.
func AppendSayWhen(dst []byte, iso string, now time.Time) ([]byte, error) {
	var s Speaker
	return s.AppendSayWhen(dst, iso, now)
}

// Duration is [Speaker.Duration] in neutral Latin American Spanish.
func Duration(d time.Duration) string {
	var s Speaker
	return s.Duration(d)
}

// AppendDuration is [Speaker.AppendDuration] in neutral Latin American Spanish.
func AppendDuration(dst []byte, d time.Duration) []byte {
	var s Speaker
	return s.AppendDuration(dst, d)
}

// SayDuration is [Speaker.SayDuration] in neutral Latin American Spanish.
func SayDuration(iso string) (string, error) {
	var s Speaker
	return s.SayDuration(iso)
}

// AppendSayDuration is [Speaker.AppendSayDuration] in neutral Latin American Spanish.
func AppendSayDuration(dst []byte, iso string) ([]byte, error) {
	var s Speaker
	return s.AppendSayDuration(dst, iso)
}
