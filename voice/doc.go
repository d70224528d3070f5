// Package voice turns what a program writes into Spanish that a person hears:
// numbers, money, dates, times, phones, whole texts. It imports nothing outside
// the standard library and nothing else of this module.
//
// Everything is a method of a [Country], since countries speak differently, and
// a function of the package for neutral Latin American Spanish:
//
//	voice.CO.Money("89900", "COP")    // ochenta y nueve mil novecientos pesos
//	voice.MX.Text("Llegue a las 3:30 p. m.")
//	voice.Int(21)                     // veintiuno
//
// [Country.With] returns a tuned [Speaker] with the same methods. Countries and
// speakers are immutable and safe for concurrent use.
//
// What cannot fail returns only a string, so that a reminder is one expression.
// What parses returns an error, and never guesses. Each has an Append form that
// adds to a buffer.
package voice
