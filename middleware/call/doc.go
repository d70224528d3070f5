// Package call says who is calling and with which metadata. It is the common
// ground of the two halves of a server: the net/http middlewares of package
// transport learn something about a request, the tool middlewares of package
// middleware need it, and neither imports the other. What a [Limiter] is, both
// have to know.
//
// A handler reads what it needs:
//
//	meta := call.MetaFrom(ctx)          // conversation, channel, currency, ...
//	caller, ok := call.CallerFrom(ctx)  // who presented which credential
//
// Both are absent, and read as zero, where no middleware put them.
package call
