package errors

// The codes that this module itself puts into [Error.Code]. Servers add their
// own, in snake_case, and give them a sentence in [Messages].
const (
	CodeTimeout        = "timeout"                 // a deadline passed before the answer came
	CodeCanceled       = "canceled"                // the caller gave up before the answer came
	CodeUnavailable    = "unavailable"             // a dependency could not be reached; nothing was sent
	CodeConnectionLost = "connection_lost"         // the connection broke before the answer came
	CodeOutcomeUnknown = "outcome_unknown"         // nobody knows whether the effect happened
	CodePanic          = "panic"                   // the handler panicked, or ended its goroutine
	CodeNoResult       = "no_result"               // the handler returned neither a result nor an error
	CodeInputRequired  = "input_required"          // the handler asked for input that the client cannot give
	CodeBusy           = "busy"                    // too many runs are still going on
	CodeInvalidKey     = "invalid_idempotency_key" // the idempotency key of a write cannot be used
	CodeBadResult      = "bad_result"              // the handler's result breaks its own schema
	CodeTooLarge       = "result_too_large"        // the result is larger than the client takes and cannot be shortened
	CodeDoneWithheld   = "done_result_withheld"    // the operation was completed, and its result cannot be shown
	CodeInvalidLimit   = "invalid_limit"           // limit is no whole number above zero
	CodeInvalidOffset  = "invalid_offset"          // offset is no whole number, below zero or too far
	CodeInvalidPage    = "invalid_page"            // both limit and offset are wrong
	CodeRateLimited    = "rate_limited"            // too many calls in too short a time
	CodeNoQuota        = "no_quota"                // the limit never lets this call through, however long one waits
	CodeBadSchema      = "bad_schema"              // the tool's own schema cannot be used; nothing was run

	CodeKeyRequired = "idempotency_key_required" // a write came without a key
	CodeKeyReused   = "idempotency_key_reused"   // the key is known with other arguments
	CodeInProgress  = "in_progress"              // the same operation is still running
	CodeAlreadyDone = "already_done"             // it is done, and its result is not held any more
	CodeStore       = "idempotency_store"        // the store could not be asked; nothing was run
	CodeStoreFull   = "idempotency_full"         // the store takes no more keys; nothing was run

	CodeRepeatedCall = "repeated_call"  // the same call was made too often in one conversation
	CodeTooManyCalls = "too_many_calls" // one tool was called too often in one conversation

	CodeApprovalPending = "approval_pending" // a person has to agree first; nothing was run
	CodeApprovalRefused = "approval_refused" // a person did not agree
	CodeApprovalStore   = "approval_store"   // nobody can be asked to agree; nothing was run

	CodeJobNotFound   = "job_not_found"   // there is no such job, or it is somebody else's
	CodeJobLost       = "job_lost"        // nobody knows how the job ended
	CodeJobNotStarted = "job_not_started" // no worker came for the job in time; nothing was run
	CodeJobEnded      = "job_ended"       // the job has ended already
	CodeJobStore      = "job_store"       // the jobs could not be asked

	CodeInvalidArguments = "invalid_arguments" // the arguments are no object, too large, or ambiguous
	CodeSeveralArguments = "several_arguments" // several arguments are wrong
	CodeMissingArgument  = "missing_argument"  // a required argument is not there
	CodeUnknownArgument  = "unknown_argument"  // the tool has no argument of that name
	CodeMisnamedArgument = "misnamed_argument" // nor that, but one of a similar name
	CodeArgumentType     = "argument_type"     // a number where a text is wanted, and the like
	CodeArgumentValue    = "argument_value"    // none of the values that are possible
	CodeMisspelledValue  = "misspelled_value"  // nor that, but similar to one of them
	CodeArgumentRange    = "argument_range"    // a number beyond its limits
	CodeArgumentLength   = "argument_length"   // a text or list that is too long or too short
	CodeInvalidArgument  = "invalid_argument"  // whatever else is wrong with one argument

	CodeMissingAction   = "missing_action"   // a tool of several actions was called without one
	CodeUnknownAction   = "unknown_action"   // the tool has no action of that name
	CodeOtherAction     = "other_action"     // the arguments name another action than the tool
	CodeForeignArgument = "foreign_argument" // the argument belongs to another action of the tool
)
