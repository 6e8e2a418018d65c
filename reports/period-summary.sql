-- title: Summary of the period
-- description: Due and done habits of each user in the days of the report, the completion rate, and the rate in the same
--   number of days before. The longest streak is the longest of the user's current streaks on the last day.
-- group: habits
-- parameter: from date default today-6 - First day of the report.
-- parameter: date date default today - Last day of the report.
-- column: user text - ID of the user.
-- column: name text - Display name of the user.
-- column: due integer days - Number of due days of all habits.
-- column: done integer days - Number of these days that are done.
-- column: completion_rate number share - Done days divided by due days; empty if no day was due.
-- column: previous_rate number share - Completion rate of the same number of days before the first day.
-- column: streak integer days - Longest current streak on the last day.
-- column: streak_title text - Title of the habit with the longest streak; empty if no habit has a streak.
-- key: user
-- formats: text csv json ndjson html parquet
-- table: user name due done completion_rate previous_rate streak
-- nightly: text csv html
-- every: week month
-- example: --from 2026-11-09 --date 2026-11-15
WITH days AS MATERIALIZED (
  SELECT habits.user, day.day, day.due, day.done, day.streak
  FROM habits
  JOIN habit_days(day_add(:from, -1 - day_diff(:date, :from)), :date) AS day ON day.habit = habits.id
)
SELECT users.id AS user, users.name,
  sum(CASE WHEN days.day >= :from THEN days.due ELSE 0 END) AS due,
  sum(CASE WHEN days.day >= :from THEN days.done ELSE 0 END) AS done,
  CAST(sum(CASE WHEN days.day >= :from THEN days.done ELSE 0 END) AS REAL)
    / nullif(sum(CASE WHEN days.day >= :from THEN days.due ELSE 0 END), 0) AS completion_rate,
  CAST(sum(CASE WHEN days.day < :from THEN days.done ELSE 0 END) AS REAL)
    / nullif(sum(CASE WHEN days.day < :from THEN days.due ELSE 0 END), 0) AS previous_rate,
  standing.streak_current AS streak, standing.streak_title
FROM days
JOIN users ON users.id = days.user
JOIN user_standings(:date) AS standing ON standing.user = days.user
GROUP BY users.id, users.name, standing.streak_current, standing.streak_title
ORDER BY users.id
