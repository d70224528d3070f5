package voice

import "strings"

// isArgentine reports whether a national number has the length of an Argentine
// one: ten digits, after a 9 if it is mobile.
func isArgentine(national string) bool {
	return len(national) == 10 || len(national) == 11 && national[0] == '9'
}

// sayArgentine says such a number, area code and subscriber apart. Mobile numbers
// are dialled in two ways (Plan Fundamental de Numeración Nacional): with a 9
// before the area code from abroad, and inside the country with 0 before and 15
// after it.
func (k cadence) sayArgentine(national string, abroad bool) cadence {
	mobile := len(national) == 11
	if mobile {
		national = national[1:]
	}
	n := argentineAreaWidth(national)
	area, subscriber := national[:n], national[n:]
	switch {
	case !abroad:
		k = k.say(digitName('0'))
	case mobile:
		k = k.sayGroups("9", "1")
	}
	k = k.sayGroups(area, "4")
	if mobile && !abroad {
		k = k.sayGroups("15", "2")
	}
	return k.sayGroups(subscriber, otherSizes(len(subscriber)))
}

// argentineAreaWidth returns the length of the area code: two digits in Buenos
// Aires, three in the larger cities and before toll-free numbers, four
// elsewhere. A few codes of four begin like a city's, and only the subscriber's
// number tells them apart: they are taken for the city's.
func argentineAreaWidth(number string) int {
	const cities = "220 221 223 230 236 237 249 260 261 263 264 266 280 291 294 297 298 299 " +
		"336 341 342 343 345 348 351 353 358 362 364 370 376 379 380 381 383 385 387 388"
	const towns = "2202 2302 2647 2648 2940 2942 2946 2948 2972 2982 2983 3437 3438 3458 3482 3483 3487 3489 " +
		"3532 3533 3537 3582 3583 3832 3837 3838 3857 3858 3863 3873 3877 3878 3887 3888"
	switch {
	case strings.HasPrefix(number, "11"):
		return 2
	case number[0] == '6' || number[0] == '8':
		return 3
	case strings.Contains(cities, number[:3]) && !strings.Contains(towns, number[:4]):
		return 3
	default:
		return 4
	}
}
