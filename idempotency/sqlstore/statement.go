package sqlstore

import (
	"strconv"
	"strings"
)

// statements are what a store says to its database. All of them are single
// statements that a database runs atomically by themselves; none depends on the
// session that it is sent in, so that a pooler may stand in between.
type statements struct {
	find   string // the row of an operation
	insert string // a row if there is none
	claim  string // both in one, or ""
	take   string // the row over, if it is still as it was found
	renew  string // one's own claim, that is sent again

	complete, release, abandon, extend string

	hold   string // the right to write, see Tx
	join   string // complete, in a run's transaction and in no other
	marked string // a row, if this is one
	sweep  string
}

// What becomes of an operation: the column state.
const (
	running   = 1
	kept      = 2
	dropped   = 3 // completed, without a result
	abandoned = 4
)

const (
	insertRow = `INSERT INTO {table} (operation, fingerprint, token, state, lease_until, expires_at)` +
		` VALUES (?, ?, ?, {running}, {now} + ?, {now} + ?)`
	// An expired row has no owner.
	ofOwner = ` WHERE operation = ? AND token = ? AND state = {running} AND expires_at > {now}`
	takeRow = `UPDATE {table} SET fingerprint = ?, token = ?, state = {running},` +
		` lease_until = {now} + ?, expires_at = {now} + ?, result = NULL WHERE operation = ? AND token = ? AND state = ?`
)

func newStatements(d dialect, n names, notify string) statements {
	write := strings.NewReplacer("{now}", d.Now, "{began}", d.Began, "{running}", strconv.Itoa(running),
		"{abandoned}", strconv.Itoa(abandoned), "{table}", n.table)
	say := func(template string) string {
		return write.Replace(d.Number(template))
	}
	const complete = `UPDATE {table} SET state = ?, result = ?, expires_at = {now} + ?` + ofOwner
	join, marked := complete, ""
	if d.marked != "" {
		join, marked = complete+` AND `+d.marked, `SELECT 1 WHERE `+d.marked
	}
	return statements{
		find: say(`SELECT fingerprint, token, state, lease_until, expires_at, result, {now} FROM {table} WHERE operation = ?`),
		// Nothing but the clock may have changed since the row was read. A token is
		// never used for a second attempt, so that no other row looks the same.
		take:     say(takeRow + ` AND lease_until = ? AND expires_at = ?`),
		renew:    say(takeRow + ` AND fingerprint = ?`),
		insert:   say(d.insert),
		claim:    say(d.claim),
		complete: say(complete) + notify,
		release:  say(`DELETE FROM {table}`+ofOwner) + notify,
		abandon:  say(`UPDATE {table} SET state = {abandoned}`+ofOwner) + notify,
		extend: say(`UPDATE {table} SET lease_until = {now} + ?,` +
			` expires_at = CASE WHEN expires_at < {now} + ? THEN {now} + ? ELSE expires_at END` + ofOwner),
		hold:   say(`UPDATE {table} SET state = state` + ofOwner),
		join:   say(join) + notify,
		marked: marked,
		sweep:  say(d.sweep),
	}
}
