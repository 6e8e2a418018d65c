-- title: Events of a day
-- description: What was recorded for a day, newest first, each in the colour of the status that its habit had that day.
-- parameter: date date default yesterday - Which day.
-- parameter: user user optional - Only this user's events.
-- column: id text - The event's id.
-- column: user text - Whose it is.
-- column: habit text - The habit's id.
-- column: title text - The habit's title.
-- column: day date - The calendar date it counts for, where it happened.
-- column: at instant - When it happened, on the clock of where it did; empty where only the day is known.
-- column: comment text - What its owner wrote about it.
-- column: outcome text - 'done', or 'skipped': a due day that was let off.
-- column: has_photo boolean - Whether it has a photo.
-- column: unplanned boolean - Whether the habit was not due that day.
-- column: longitude number degrees - Where it happened, on WGS 84, east positive; empty where that is not known.
-- column: latitude number degrees - Where it happened, on WGS 84, north positive; empty where that is not known.
-- column: status text - How the habit stood that day: On track, Near goal, Inactive or New.
-- column: color text - The colour of that status.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
-- table: user title day at outcome comment status
-- chart: map color
-- nightly: csv geojson html
-- example: --date 2026-11-20
SELECT events.id, events.user, events.habit, events.title, events.day, events.at, events.comment, events.outcome,
  events.has_photo, events.unplanned, events.longitude, events.latitude, standing.status, standing.color
FROM events
JOIN habit_standings(:date) AS standing ON standing.habit = events.habit
WHERE events.day = :date
  AND (:user IS NULL OR events.user = :user)
ORDER BY microseconds(events.at) DESC NULLS LAST, events.id DESC
