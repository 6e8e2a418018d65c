-- title: Habits of the period
-- description: Due and done days of each habit in the days of the report, the completion rate, and the rate in the same
--   number of days before. The streak is the current streak on the last day. A user sees only the user's own habits.
-- group: habits
-- parameter: from date default today-6 - First day of the report.
-- parameter: date date default today - Last day of the report.
-- column: habit text - ID of the habit.
-- column: user text - ID of the owner.
-- column: title text - Title of the habit.
-- column: due integer days - Number of due days.
-- column: done integer days - Number of these days that are done.
-- column: completion_rate number share - Done days divided by due days; empty if no day was due.
-- column: previous_rate number share - Completion rate of the same number of days before the first day.
-- column: streak integer days - Current streak on the last day.
-- key: habit
-- formats: text csv json ndjson html parquet
-- table: user title due done completion_rate previous_rate streak
-- nightly: text csv html
-- every: week month
-- example: --from 2026-11-09 --date 2026-11-15
WITH days AS MATERIALIZED (
  SELECT habits.id AS habit, habits.user, habits.title, day.day, day.due, day.done, day.streak
  FROM habits
  JOIN habit_days(day_add(:from, -1 - day_diff(:date, :from)), :date) AS day ON day.habit = habits.id
)
SELECT days.habit, days.user, days.title,
  sum(CASE WHEN days.day >= :from THEN days.due ELSE 0 END) AS due,
  sum(CASE WHEN days.day >= :from THEN days.done ELSE 0 END) AS done,
  CAST(sum(CASE WHEN days.day >= :from THEN days.done ELSE 0 END) AS REAL)
    / nullif(sum(CASE WHEN days.day >= :from THEN days.due ELSE 0 END), 0) AS completion_rate,
  CAST(sum(CASE WHEN days.day < :from THEN days.done ELSE 0 END) AS REAL)
    / nullif(sum(CASE WHEN days.day < :from THEN days.due ELSE 0 END), 0) AS previous_rate,
  max(CASE WHEN days.day = :date THEN days.streak ELSE 0 END) AS streak
FROM days
GROUP BY days.habit, days.user, days.title
ORDER BY days.user, days.title, days.habit
