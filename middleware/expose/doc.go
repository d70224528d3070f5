// Package expose decides what an agent sees of a set of actions, apart from how they
// are written. Actions are declared once, new ones or tools that exist already, and
// compiled into tools: one for each action, one for each namespace, or one for
// reading and one for writing.
//
//	cfg := expose.Asixto(expose.Grouped) // or expose.Config{Strategy: expose.Grouped}, for other clients
//	cfg.Middleware = stack.Middleware()  // in place of stack.Use()
//	surface, err := expose.Compile(cfg, slices.Concat(facturas.Actions(), soporte.Actions())...)
//	if err != nil {
//		return err // everything that is wrong, at once
//	}
//	err = surface.Register(srv)
//
// Tools that a server has already become actions with [FromTools]; [Surface.Register]
// takes the place of AddTool.
//
// Nothing of an action changes with the choice: its handler gets the arguments that
// it declares, middlewares see its full name and its own definition, and what its
// schema demands is demanded of each call.
//
// # Grouped tools
//
// A grouped tool has a field that names the action, and the fields of all its
// actions beside it. Its schema is closed and admits at least what any action admits;
// descriptions say which action takes which field, and what one demands beyond the
// others. Fields of one name and of types that no value fits at once cannot stand in
// one schema: the namespace is flat then, and a [Finding] says why. Hints are those
// of the most dangerous action.
//
// # Who sees what
//
// Scopes, tenants, tags and rules are per action, and one function decides them for
// everything: a caller's lists, schemas, descriptions, suggestions and failures are
// those of a surface that was compiled without the actions that it may not know of.
// What is the same for everybody is which tools a namespace becomes.
//
// # Pitfalls
//
// The stack belongs into [Config.Middleware], not into the server, neither with Use nor
// with Stack.Use: a middleware that the server uses sees a call of "billing", and not
// whether it pays or reads. A middleware.Validate there would hold calls to the
// definition with every action, and name in its failures what is hidden. What
// Stack.Use would log at start, Stack.Missing tells.
//
// A middleware.Policy that is given to the server as a filter knows the names of
// tools, and denies those of grouped ones. Give its Visible to [RuleFunc] instead,
// and the policy to the stack.
//
// Changing the strategy renames tools. For a gateway that certifies tools by name
// these are other tools.
package expose
