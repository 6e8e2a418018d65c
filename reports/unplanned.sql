-- title: Unplanned events
-- description: What was recorded on days that were not due, newest first: it does not count as done. Where there are many of
--   one weekday, the schedule may not say what its owner does.
-- parameter: date date default today - The last day.
-- parameter: days integer default 28 - How many days, up to the last.
-- parameter: user user optional - Only this user's events.
-- parameter: habit habit optional - Only events of this habit, by its id or title.
-- column: id text - The event's id.
-- column: user text - Whose it is.
-- column: habit text - The habit's id.
-- column: title text - The habit's title.
-- column: day date - The calendar date it counts for, where it happened.
-- column: weekday integer - Of that day: 1 for Monday to 7 for Sunday.
-- column: at instant - When it happened, on the clock of where it did; empty where only the day is known.
-- column: comment text - What its owner wrote about it.
-- column: outcome text - 'done' or 'skipped'.
-- column: longitude number degrees - Where it happened, on WGS 84, east positive; empty where that is not known.
-- column: latitude number degrees - Where it happened, on WGS 84, north positive; empty where that is not known.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
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
