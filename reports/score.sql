-- title: Score over time
-- description: The score of each habit over time: one value for each day, or for the last day of each week or month.
--   A user sees only the user's own habits.
-- group: habits
-- parameter: date date default today - Last day of the report.
-- parameter: weeks integer default 13 - Number of weeks (Monday to Sunday), up to the week of the last day.
-- parameter: every day|week|month default week - Interval of the values.
-- parameter: user user optional - User whose habits are selected.
-- parameter: habit habit optional - Habit to select, by ID or title.
-- column: habit text - ID of the habit.
-- column: user text - ID of the owner.
-- column: title text - Title of the habit.
-- column: label text - Owner and title, with the ID if the owner has several habits with the title.
-- column: day date - Day of the value.
-- column: score number share - Strength of the habit, 0 to 1; done days increase it and missed days decrease it.
-- key: habit day
-- formats: text csv json ndjson html parquet
-- table: user title day score
-- chart: line score over day by label
-- nightly: csv html
-- every: day week month
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
-- The CROSS JOIN starts with the selected habits, so that days are computed only for them.
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
