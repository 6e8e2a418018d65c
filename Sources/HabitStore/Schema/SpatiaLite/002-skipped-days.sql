-- Days that were skipped are few: with these, the days of a habit are read from its index alone.
CREATE INDEX event_skipped ON event (habit_id, day) WHERE outcome = 'skipped';
