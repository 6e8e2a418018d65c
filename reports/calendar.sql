-- title: Calendar
-- description: Each habit day by day, for as many weeks as asked for: done, missed, skipped or not due. Habits of your own.
-- parameter: date date default today - The last day.
-- parameter: weeks integer default 13 - How many weeks, Monday to Sunday, up to that of the last day.
-- parameter: user user optional - Only this user's habits.
-- parameter: habit habit optional - Only this habit, by its id or title.
-- column: habit text - The habit's id.
-- column: user text - Whose it is.
-- column: title text - The habit's title.
-- column: label text - Owner and title, and the id where an owner has two habits of a title.
-- column: day date - A day from the habit's start to its end, or with an event.
-- column: outcome text - 'done'; 'missed' where it was due and not done; 'skipped'; 'unplanned' where it was done and not
--   due; 'open' where it is due today; 'none' where it was not due.
-- key: habit day
-- formats: text csv json ndjson html
-- table: user title day outcome
-- chart: calendar day outcome by label
-- nightly: csv html
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
-- The habits come first, so that only those asked for are worked out day by day.
CROSS JOIN habit_days(coalesce(day_add(week_start(:date), 7 - 7 * :weeks), '0001-01-01'), :date) AS days
WHERE days.habit = named.id
  AND (:habit IS NULL OR named.id = :habit)
ORDER BY named.user, named.title, days.habit, days.day
