package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

const (
	channel    = "fibra_claves" // on which PostgreSQL tells that an operation has moved on
	sweepEvery = 10 * time.Minute
	listenWait = 5 * time.Second // before the next attempt to listen
)

// start begins what goes on beside the calls. It ends with close and not with
// ctx: what is finished at shutdown is still to be heard of.
func (svc *service) start(ctx context.Context, store *sqlstore.Store, db database, log zerolog.Logger) {
	ctx, svc.rest = context.WithCancel(context.WithoutCancel(ctx))
	svc.chores.Go(func() {
		every(ctx, sweepEvery, func() {
			if _, err := store.Sweep(ctx); err != nil && ctx.Err() == nil {
				log.Warn().Err(err).Msg("expired keys could not be removed")
			}
		})
	})
	if db.dialect == sqlstore.PostgreSQL {
		svc.chores.Go(func() {
			every(ctx, listenWait, func() {
				if err := listen(ctx, db.dsn, store); ctx.Err() == nil {
					log.Warn().Err(err).Msg("nobody listens; duplicates wait until they look again")
				}
			})
		})
	}
}

// listen wakes those who wait for an operation, in a connection of its own, until
// that is lost.
func listen(ctx context.Context, url string, store *sqlstore.Store) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it may be lost
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		store.Wake(n.Payload)
	}
}

// every does something now, and again that long after it was done, until ctx ends.
func every(ctx context.Context, pause time.Duration, do func()) {
	for ctx.Err() == nil {
		do()
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}
