-- title: Events of a day
-- description: The events of a day, newest first, in the color of the status that the habit had on that day.
-- group: day
-- parameter: date date default yesterday - Day of the report.
-- parameter: user user optional - User whose events are selected.
-- column: id text - ID of the event.
-- column: user text - ID of the owner.
-- column: habit text - ID of the habit.
-- column: title text - Title of the habit.
-- column: day date - Local calendar date for which the event counts.
-- column: at instant - Local time of the event with its UTC offset; empty if only the day is known.
-- column: comment text - Comment of the owner.
-- column: outcome text outcome - 'done', or 'skipped' for a due day that the owner skipped.
-- column: has_photo boolean - Whether the record has a photo.
-- column: unplanned boolean - Whether the habit was not due on the day.
-- column: longitude number degrees - Longitude of the event (WGS 84, east positive); empty if unknown.
-- column: latitude number degrees - Latitude of the event (WGS 84, north positive); empty if unknown.
-- column: status text status - Status of the habit on the day: On track, Near goal, Inactive or New.
-- column: color text color - Color of the status.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
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
