-- title: History
-- description: Every event that you may see, newest first: yours, and those of the users you follow.
-- parameter: from date optional - Only events on this day or later.
-- parameter: to date optional - Only events on this day or earlier.
-- parameter: user user optional - Only this user's events.
-- parameter: habit habit optional - Only events of this habit, by its id or title.
-- column: id text - The event's id.
-- column: user text - Whose it is.
-- column: habit text - The habit's id.
-- column: title text - The habit's title.
-- column: day date - The calendar date it counts for.
-- column: at instant - When it happened, on the clock of where it did; empty where only the day is known.
-- column: comment text - What its owner wrote about it.
-- column: outcome text - 'done' or 'skipped'.
-- column: has_photo boolean - Whether it has a photo.
-- column: unplanned boolean - Whether the day was not due.
-- column: longitude number degrees - Where it happened, on WGS 84; empty where that is not known.
-- column: latitude number degrees - Where it happened, on WGS 84; empty where that is not known.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
-- chart: map
-- example: --from today-27 --to today
SELECT id, user, habit, title, day, at, comment, outcome, has_photo, unplanned, longitude, latitude
FROM events
WHERE (:from IS NULL OR day >= :from)
  AND (:to IS NULL OR day <= :to)
  AND (:user IS NULL OR user = :user)
  AND (:habit IS NULL OR habit = :habit)
ORDER BY day DESC, at DESC NULLS LAST, id DESC
