-- title: To do
-- description: The habits that are due on a day by schedule, start and end, and whether they were done: what is left comes
--   first, user by user. A day that was skipped is not due. Only days up to today can be asked for.
-- parameter: date date default today - Which day.
-- parameter: user user optional - Only this user's habits.
-- column: habit text - The habit's id.
-- column: title text - The habit's title.
-- column: user text - Whose it is.
-- column: day date - The day asked for.
-- column: status text - How the habit stood that day: On track, Near goal, Inactive or New.
-- column: color text - The colour of that status.
-- column: done boolean - Whether it was done that day.
-- column: event text - The id of the event that says so; empty where it was not done.
-- key: habit
-- formats: text csv json ndjson html
-- table: user title done status event
-- nightly: text csv
-- example: --date 2026-11-20 --user alice
SELECT days.habit, habits.title, habits.user, days.day, standing.status, standing.color, days.done, events.id AS event
FROM habits
-- The habits come first, so that only those asked for are worked out day by day.
CROSS JOIN habit_days(:date, :date) AS days
JOIN habit_standings(:date) AS standing ON standing.habit = days.habit
LEFT JOIN events ON events.habit = days.habit
  AND events.day = :date
WHERE days.habit = habits.id
  AND days.outcome IN ('done', 'missed', 'open')
  AND (:user IS NULL OR habits.user = :user)
ORDER BY habits.user, days.done, habits.title, days.habit
