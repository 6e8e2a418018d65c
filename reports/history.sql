-- title: History
-- description: All events, newest first: sorted by day, then by time.
-- group: habits
-- parameter: from date optional - First day of the events.
-- parameter: to date optional - Last day of the events.
-- parameter: user user optional - User whose events are selected.
-- parameter: habit habit optional - Habit whose events are selected, by ID or title.
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
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
-- table: user title day at outcome comment
-- chart: map
-- example: --user alice --from today-13
SELECT events.id, events.user, events.habit, events.title, events.day, events.at, events.comment, events.outcome,
  events.has_photo, events.unplanned, events.longitude, events.latitude
FROM events
WHERE events.day >= coalesce(:from, '0001-01-01')
  AND events.day <= coalesce(:to, '9999-12-31')
  AND (:user IS NULL OR events.user = :user)
  AND (:habit IS NULL OR events.habit = :habit)
ORDER BY events.day DESC, microseconds(events.at) DESC NULLS LAST, events.id DESC
