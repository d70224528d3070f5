package desktest_test

import (
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/desktest"
)

// What is in memory keeps the rules as what is in a database does.
func TestMemoryJobs(t *testing.T) {
	t.Parallel()
	desktest.Jobs(t, func(*testing.T) middleware.Jobs { return middleware.NewJobs(middleware.JobsConfig{}) }, time.Sleep)
}

func TestMemoryApprovals(t *testing.T) {
	t.Parallel()
	desktest.Approvals(t, func(*testing.T) middleware.Approvals { return middleware.NewApprovals(middleware.ApprovalsConfig{}) }, time.Sleep)
}
