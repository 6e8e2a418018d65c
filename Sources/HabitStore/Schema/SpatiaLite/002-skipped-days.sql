-- Few days are skipped. With this index and the index on habit and day, a query of the days of a habit reads no rows of `event`.
CREATE INDEX event_skipped ON event (habit_id, day) WHERE outcome = 'skipped';
