package sqlite

import (
	"context"
	"database/sql"
)

// Querier is a database or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Each calls fn for each row of a query, until it returns an error.
func Each(ctx context.Context, db Querier, fn func(*sql.Rows) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Column returns the texts of the only column of a query.
func Column(ctx context.Context, db Querier, query string, args ...any) (all []string, err error) {
	err = Each(ctx, db, func(rows *sql.Rows) error {
		var text sql.NullString
		err := rows.Scan(&text)
		all = append(all, text.String)
		return err
	}, query, args...)
	return all, err
}
