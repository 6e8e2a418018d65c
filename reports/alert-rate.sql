-- title: Low completion rates
-- description: Habits whose completion rate was under a limit for a number of days, lowest rate first. Habits that were
--   due less than three times in these days are left out.
-- group: alerts
-- parameter: date date default yesterday - Last day of the period.
-- parameter: days integer default 14 - Number of days.
-- parameter: rate number default 0.5 - Limit of the completion rate, 0 to 1.
-- column: habit text - ID of the habit.
-- column: user text - ID of the user.
-- column: title text - Title of the habit.
-- column: due integer days - Number of due days.
-- column: done integer days - Number of these days on which the habit was done.
-- column: completion_rate number share - Done days divided by due days.
-- key: habit
-- formats: text csv json ndjson html parquet
-- every: day week month
-- alert: {user}: '{title}' was done on {done} of {due} due days
-- example: --date 2026-11-20
SELECT habits.id AS habit, habits.user, habits.title, sum(days.due) AS due, sum(days.done) AS done,
  CAST(sum(days.done) AS REAL) / sum(days.due) AS completion_rate
FROM habits
JOIN habit_days(day_add(:date, 1 - :days), :date) AS days ON days.habit = habits.id
GROUP BY habits.id, habits.user, habits.title
HAVING sum(days.due) >= 3
  AND sum(days.done) < :rate * sum(days.due)
ORDER BY completion_rate, habits.id
