-- title: History
-- description: Every event, newest first: by its day, then by the instant at which it happened.
-- parameter: from date optional - Only events of this day or later.
-- parameter: to date optional - Only events of this day or earlier.
-- parameter: user user optional - Only this user's events.
-- parameter: habit habit optional - Only events of this habit, by its id or title.
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
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
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
