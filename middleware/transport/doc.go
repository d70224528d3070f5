// Package transport is the net/http half of an MCP server: who may call, how
// much they may send, and what a gateway leaves out of its headers. Everything
// is a func(http.Handler) http.Handler, works alone, and knows no MCP library.
//
// [Gateway] puts the parts in the right order around an MCP handler. By hand
// the order is, from the outside in,
//
//	Log             sees every answer, also those that the others give
//	AllowedHosts    the cheapest refusal
//	OutcomeHeaders  has to be outside whatever writes the answer
//	BodyLimit       before anything reads
//	Authenticate    before the body is read at all
//	Headers         reads the body, once
//	RateLimit       knows by then who asks, and for what
//	InvalidParams   needs the id that Headers has read
//
// Answers that a part gives by itself are JSON-RPC errors with a fixed text:
//
//	400  -32020  two Mcp-* header lines that differ (Headers)
//	200  -32602  arguments that a tool refused, for clients that ask for it; 400
//	             in the stateless protocol (InvalidParams)
//	400  -32700  a body that breaks off (Headers); 408 when it comes too slowly
//	401  -32600  no valid credential (Authenticate)
//	403  -32600  a host that is not ours (AllowedHosts)
//	413  -32600  a body that is too long (BodyLimit, Headers)
//	429  -32600  too many requests (RateLimit), with Retry-After
//	503  -32603  credentials cannot be checked now (Authenticate), nor
//	             requests counted (RateLimit)
//
// Everything else is left to the server: a truncated message, a batch, an
// unknown method, a header that contradicts the body.
//
// Things to know:
//
//   - Browsers send a preflight request without credentials. A CORS middleware
//     belongs in front of [Gateway], and so does [http.CrossOriginProtection],
//     which looks at Origin; [AllowedHosts] looks at Host.
//   - The document of [ResourceMetadata] lives at the root of the host. A
//     [Gateway] with metadata has to be mounted at "/", or the document on its
//     own with [ResourceMetadata.Handler].
//   - Set the timeouts of [http.Server]. No part here has a clock: a client that
//     sends its body byte by byte is stopped by ReadTimeout.
//   - A request knows its caller by [call.CallerFrom], never by the MCP session,
//     which is empty in the stateless protocol.
package transport
