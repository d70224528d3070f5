// Package paginate reads limit and offset from the arguments of a search tool,
// cuts the page out, and makes it fit what a gateway takes.
//
//	p, err := rules.FromMap(req.GetArguments(), channel == call.Voice)
//	if err != nil {
//		return nil, err // VALIDATION, and it names the field
//	}
//	page, err := paginate.Fetch(ctx, p, countPlans, fetchPlans)
//
// The package has three parts, in the order in which a call meets them.
//
//   - [Rules] turn arguments into [Params]: ten results unless told otherwise,
//     25 at most, three on the voice channel. They also write the schemas of the
//     two arguments and of the page, so that what a tool declares is what it
//     does.
//   - [Page] is the answer of a search, with the contract's member names. It
//     comes from a slice ([Slice]) or from a source that counts and fetches
//     ([Fetch]).
//   - [Page.Fit] drops results from the end until the encoded page fits a budget;
//     [Prefix] does so for a plain slice.
//
// Two pitfalls. Finding nothing is a success, with an empty list and a total of
// zero: do not return NotFound. And the order must be the same on every call and
// without ties (most relevant first, then by key), or a result shows up on two
// pages while another one shows up on none.
//
// Nothing here keeps state: everything may be used by several goroutines at
// once.
package paginate
