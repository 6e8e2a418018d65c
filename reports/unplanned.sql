-- title: Unplanned events
-- description: Events on days when the habit was not due, newest first. They do not count as done. Many such events on
--   one weekday indicate that the schedule does not match the habit.
-- group: habits
-- parameter: date date default today - Last day of the report.
-- parameter: days integer default 28 - Number of days up to the last day.
-- parameter: user user optional - User whose events are selected.
-- parameter: habit habit optional - Habit whose events are selected, by ID or title.
-- column: id text - ID of the event.
-- column: user text - ID of the owner.
-- column: habit text - ID of the habit.
-- column: title text - Title of the habit.
-- column: day date - Local calendar date for which the event counts.
-- column: weekday integer - Weekday of the event, from 1 for Monday to 7 for Sunday.
-- column: at instant - Local time of the event with its UTC offset; empty if only the day is known.
-- column: comment text - Comment of the owner.
-- column: outcome text outcome - 'done' or 'skipped'.
-- column: longitude number degrees - Longitude of the event (WGS 84, east positive); empty if unknown.
-- column: latitude number degrees - Latitude of the event (WGS 84, north positive); empty if unknown.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
-- table: user title day weekday outcome comment
-- chart: map
-- example: --date 2026-11-20
SELECT events.id, events.user, events.habit, events.title, events.day, weekday(events.day) AS weekday, events.at,
  events.comment, events.outcome, events.longitude, events.latitude
FROM events
WHERE events.unplanned = 1
  AND events.day > coalesce(day_add(:date, -:days), '0001-01-01')
  AND events.day <= :date
  AND (:user IS NULL OR events.user = :user)
  AND (:habit IS NULL OR events.habit = :habit)
ORDER BY events.day DESC, microseconds(events.at) DESC NULLS LAST, events.id DESC
