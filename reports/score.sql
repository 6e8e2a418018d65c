-- title: Score over time
-- description: The strength of each habit as it grew and faded, a value for each day, or for the last day of each week or
--   month. Habits of your own. There is no row where 'every' is another word than day, week or month.
-- parameter: date date default today - The last day.
-- parameter: weeks integer default 13 - How many weeks, Monday to Sunday, up to that of the last day.
-- parameter: every day|week|month default week - How often.
-- parameter: user user optional - Only this user's habits.
-- parameter: habit habit optional - Only this habit, by its id or title.
-- column: habit text - The habit's id.
-- column: user text - Whose it is.
-- column: title text - The habit's title.
-- column: label text - Owner and title, and the id where an owner has two habits of a title.
-- column: day date - The day of the value.
-- column: score number - 0 to 1: each due day done raises it, each day missed lowers it.
-- key: habit day
-- formats: text csv json ndjson html
-- table: user title day score
-- chart: line score over day by label
-- nightly: csv html
-- example: --date 2026-11-20 --user alice
WITH named AS (
  SELECT habits.id, habits.user, habits.title, habits."end",
    CASE count(*) OVER (PARTITION BY habits.user, habits.title)
      WHEN 1 THEN habits.user || ': ' || habits.title
      ELSE habits.user || ': ' || habits.title || ' (' || habits.id || ')'
    END AS label
  FROM habits
  WHERE (:user IS NULL OR habits.user = :user)
)
SELECT days.habit, named.user, named.title, named.label, days.day, days.score
FROM named
-- The habits come first, so that only those asked for are worked out day by day.
CROSS JOIN habit_days(coalesce(day_add(week_start(:date), 7 - 7 * :weeks), '0001-01-01'), :date) AS days
WHERE days.habit = named.id
  AND (:habit IS NULL OR named.id = :habit)
  AND CASE :every
    WHEN 'day' THEN 1
    WHEN 'week' THEN CASE WHEN weekday(days.day) = 7 OR days.day IN (:date, named."end") THEN 1 ELSE 0 END
    WHEN 'month' THEN
      CASE
        WHEN substr(days.day, 1, 7) <> substr(day_add(days.day, 1), 1, 7) OR days.day IN (:date, named."end") THEN 1
        ELSE 0
      END
    ELSE 0
  END = 1
ORDER BY named.user, named.title, days.habit, days.day
