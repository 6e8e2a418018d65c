-- A habit has weekdays, or a target: `times` completions in any `period_days` consecutive days. If a habit has a target amount,
-- a day is done only if the amount of its event is at least the target amount.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(sql, 'weekdays INTEGER NOT NULL CHECK', 'weekdays INTEGER CHECK')
WHERE type = 'table' AND name = 'habit';

PRAGMA writable_schema = RESET;

ALTER TABLE habit ADD COLUMN period_days INTEGER CHECK ((weekdays IS NULL) = (period_days IS NOT NULL));
ALTER TABLE habit ADD COLUMN times INTEGER
  CHECK ((times IS NULL) = (period_days IS NULL) AND (times IS NULL OR times BETWEEN 1 AND period_days));
ALTER TABLE habit ADD COLUMN target_amount REAL CHECK (target_amount > 0);
ALTER TABLE habit ADD COLUMN unit TEXT;
ALTER TABLE event ADD COLUMN amount REAL CHECK (amount >= 0);

-- The unique keys of tables with records of users begin with the user, so that the tables can be distributed by user.
CREATE UNIQUE INDEX habit_user_key ON habit (user_id, id);
DROP INDEX habit_user;

CREATE TABLE new_schedule (
  id INTEGER PRIMARY KEY,
  user_id BIGINT NOT NULL,
  habit_id BIGINT NOT NULL,
  from_day TEXT NOT NULL,
  weekdays INTEGER CHECK (weekdays BETWEEN 1 AND 127),
  times INTEGER,
  period_days INTEGER,
  UNIQUE (user_id, habit_id, from_day),
  FOREIGN KEY (user_id, habit_id) REFERENCES habit (user_id, id) ON DELETE CASCADE,
  CHECK ((weekdays IS NULL) = (period_days IS NOT NULL)),
  CHECK ((times IS NULL) = (period_days IS NULL) AND (times IS NULL OR times BETWEEN 1 AND period_days))
);

INSERT INTO new_schedule (id, user_id, habit_id, from_day, weekdays)
SELECT habit_schedule.id, habit.user_id, habit_schedule.habit_id, habit_schedule.from_day, habit_schedule.weekdays
FROM habit_schedule
JOIN habit ON habit.id = habit_schedule.habit_id;

DROP TABLE habit_schedule;
ALTER TABLE new_schedule RENAME TO habit_schedule;
