-- title: Calendar
-- description: The outcome of each day of each habit: done, missed, skipped, unplanned, open or not due. A user
--   sees only the user's own habits.
-- group: habits
-- parameter: date date default today - Last day of the report.
-- parameter: weeks integer default 13 - Number of weeks (Monday to Sunday), up to the week of the last day.
-- parameter: user user optional - User whose habits are selected.
-- parameter: habit habit optional - Habit to select, by ID or title.
-- column: habit text - ID of the habit.
-- column: user text - ID of the owner.
-- column: title text - Title of the habit.
-- column: label text - Owner and title, with the ID if the owner has several habits with the title.
-- column: day date - Day between the start and the end of the habit, or a day with an event.
-- column: outcome text outcome - 'done', 'missed' (due and not done), 'skipped', 'unplanned' (done and not due), 'open' (due
--   today and not done yet) or 'none' (not due).
-- key: habit day
-- formats: text csv json ndjson html parquet
-- table: user title day outcome
-- chart: calendar day outcome by label
-- nightly: csv html
-- every: day week month
-- example: --date 2026-11-20 --weeks 6 --user alice
WITH named AS (
  SELECT habits.id, habits.user, habits.title,
    CASE count(*) OVER (PARTITION BY habits.user, habits.title)
      WHEN 1 THEN habits.user || ': ' || habits.title
      ELSE habits.user || ': ' || habits.title || ' (' || habits.id || ')'
    END AS label
  FROM habits
  WHERE (:user IS NULL OR habits.user = :user)
)
SELECT days.habit, named.user, named.title, named.label, days.day, days.outcome
FROM named
-- The CROSS JOIN starts with the selected habits, so that days are computed only for them.
CROSS JOIN habit_days(coalesce(day_add(week_start(:date), 7 - 7 * :weeks), '0001-01-01'), :date) AS days
WHERE days.habit = named.id
  AND (:habit IS NULL OR named.id = :habit)
ORDER BY named.user, named.title, days.habit, days.day
