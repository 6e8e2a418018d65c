-- The pauses of habits. A pause without a habit pauses all habits of the user, and a pause without a last day has no end. The days of a pause
-- are neither due nor missed. The program updates `unplanned` of the events on these days.
CREATE TABLE pause (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
  habit_id BIGINT REFERENCES habit ON DELETE CASCADE,
  from_day TEXT NOT NULL,
  to_day TEXT CHECK (to_day >= from_day),
  version BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX pause_user ON pause (user_id, habit_id);

CREATE INDEX pause_habit ON pause (habit_id);

CREATE TRIGGER pause_other_insert AFTER INSERT ON pause WHEN new.version = 0 BEGIN
  UPDATE pause SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('pauses', new.user_id, new.external_id, new.from_day, 2);
END;

CREATE TRIGGER pause_other_update AFTER UPDATE ON pause WHEN new.version = old.version BEGIN
  UPDATE pause SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('pauses', old.user_id, old.external_id, old.from_day, 2);
  INSERT INTO other_change VALUES ('pauses', new.user_id, new.external_id, new.from_day, 2);
END;

CREATE TRIGGER pause_other_delete AFTER DELETE ON pause WHEN old.version <> -1 BEGIN
  INSERT INTO other_change VALUES ('pauses', old.user_id, old.external_id, old.from_day, 2);
END;
