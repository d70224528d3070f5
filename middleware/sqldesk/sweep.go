package sqldesk

import "context"

// Sweep ends jobs that are lost, and removes what has been forgotten: jobs that ended
// longer ago than they are kept, and approvals that expired longer ago than they
// lasted. It says how many rows it has removed. Several processes may at once.
func (d *Desk) Sweep(ctx context.Context) (removed int64, err error) {
	for _, template := range [...]string{
		`UPDATE {jobs} SET state = 6, ended_at = {now} WHERE {lost}`,
		`DELETE FROM {jobs} WHERE state > 2 AND ended_at + keep_ms <= {now}`,
		`DELETE FROM {approvals} WHERE expires_at + ttl_ms <= {now}`,
	} {
		var n int64
		err := d.repeat(ctx, func(on asker) error {
			res, err := on.ExecContext(ctx, d.say(template))
			if err == nil {
				n, err = res.RowsAffected()
			}
			return err
		})
		if err != nil {
			return removed, err
		}
		if template[0] == 'D' {
			removed += n
		}
	}
	return removed, nil
}
