-- A habit has weekdays, or a target: `times` completions in any `period_days` consecutive days. If a habit has a target amount,
-- a day is done only if the amount of its event is at least the target amount.
ALTER TABLE habit
  ALTER COLUMN weekdays DROP NOT NULL,
  ADD COLUMN period_days INTEGER,
  ADD COLUMN times INTEGER,
  ADD COLUMN target_amount DOUBLE PRECISION CHECK (target_amount > 0),
  ADD COLUMN unit TEXT COLLATE "C",
  ADD CHECK ((weekdays IS NULL) = (period_days IS NOT NULL)),
  ADD CHECK ((times IS NULL) = (period_days IS NULL) AND (times IS NULL OR times BETWEEN 1 AND period_days));

ALTER TABLE event ADD COLUMN amount DOUBLE PRECISION CHECK (amount >= 0);

-- The unique keys of tables with records of users contain the user, so that the tables can be distributed by user. Only one writer
-- runs at a time, and it checks that IDs are unique among all users. The doctor also checks it.
ALTER TABLE event DROP CONSTRAINT event_habit_id_fkey;
ALTER TABLE habit_schedule DROP CONSTRAINT habit_schedule_habit_id_fkey;
ALTER TABLE habit DROP CONSTRAINT habit_pkey, DROP CONSTRAINT habit_external_id_key, ADD PRIMARY KEY (id, user_id);
CREATE UNIQUE INDEX habit_external_id ON habit (external_id, user_id);
DROP INDEX habit_user;
CREATE INDEX habit_user ON habit (user_id, id);

ALTER TABLE habit_schedule
  ADD COLUMN user_id BIGINT,
  ADD COLUMN period_days INTEGER,
  ADD COLUMN times INTEGER,
  ALTER COLUMN weekdays DROP NOT NULL;
UPDATE habit_schedule SET user_id = habit.user_id FROM habit WHERE habit.id = habit_schedule.habit_id;
ALTER TABLE habit_schedule
  ALTER COLUMN user_id SET NOT NULL,
  DROP CONSTRAINT habit_schedule_pkey,
  DROP CONSTRAINT habit_schedule_habit_id_from_day_key,
  ADD PRIMARY KEY (id, user_id),
  ADD UNIQUE (user_id, habit_id, from_day),
  ADD FOREIGN KEY (habit_id, user_id) REFERENCES habit (id, user_id) ON DELETE CASCADE,
  ADD CHECK ((weekdays IS NULL) = (period_days IS NOT NULL)),
  ADD CHECK ((times IS NULL) = (period_days IS NULL) AND (times IS NULL OR times BETWEEN 1 AND period_days));

ALTER TABLE event ADD FOREIGN KEY (habit_id, user_id) REFERENCES habit (id, user_id) ON DELETE CASCADE;
