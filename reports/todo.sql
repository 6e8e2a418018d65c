-- title: To do
-- description: The habits that are due on a day according to their schedule, start and end, also skipped habits, sorted
--   by user with unfinished habits first. The day must not be in the future.
-- group: day
-- parameter: date date default today - Day of the report.
-- parameter: user user optional - User whose habits are selected.
-- column: habit text - ID of the habit.
-- column: title text - Title of the habit.
-- column: user text - ID of the owner.
-- column: day date - Day of the report.
-- column: status text status - Status of the habit on the day: On track, Near goal, Inactive or New.
-- column: color text color - Color of the status.
-- column: done boolean - Whether the event of the day counts as done, also if the target of the habit is not reached.
-- column: event text - ID of the event of the day; empty if the day has no event.
-- column: outcome text outcome - Outcome of the event: 'done' or 'skipped'.
-- key: habit
-- formats: text csv json ndjson html ics parquet
-- table: user title done status outcome
-- nightly: text csv
-- example: --date 2026-11-20 --user alice
SELECT days.habit, habits.title, habits.user, days.day, standing.status, standing.color,
  CASE WHEN days.outcome = 'done' THEN 1 ELSE 0 END AS done, events.id AS event, events.outcome
FROM habits
-- The CROSS JOIN starts with the selected habits, so that days are computed only for them.
CROSS JOIN habit_days(:date, :date) AS days
JOIN habit_standings(:date) AS standing ON standing.habit = days.habit
LEFT JOIN events ON events.habit = days.habit
  AND events.day = :date
WHERE days.habit = habits.id
  AND (days.outcome IN ('done', 'missed', 'open') OR days.outcome = 'skipped' AND days.scheduled = 1)
  AND (:user IS NULL OR habits.user = :user)
ORDER BY habits.user, done, habits.title, days.habit
