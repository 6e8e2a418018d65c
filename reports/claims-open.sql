-- title: Open claims
-- description: Claimed items that are not handed over yet, longest wait first. A user sees only the user's own
--   claims and the claims on the user's items.
-- group: items
-- parameter: date date default today - Day until which the wait is counted.
-- parameter: days integer default 0 - Minimum wait in days.
-- parameter: user user optional - User who posted or claimed the item.
-- column: item text - ID of the item.
-- column: name text - Name of the item.
-- column: poster text - ID of the user who posted the item.
-- column: claimant text - ID of the user who claimed the item.
-- column: claimed_at instant - Local time of the claim with its UTC offset; empty if unknown.
-- column: days_waiting integer days - Days from the date of the claim to the date of the report.
-- column: longitude number degrees - Longitude of the item (WGS 84, east positive); empty if unknown.
-- column: latitude number degrees - Latitude of the item (WGS 84, north positive); empty if unknown.
-- key: item
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
-- table: item name poster claimant claimed_at days_waiting
-- chart: map
-- chart: bars days_waiting by name
-- example: --date 2026-11-20 --days 60
SELECT waiting.item, waiting.name, waiting.poster, waiting.claimant, waiting.claimed_at, waiting.days_waiting,
  waiting.longitude, waiting.latitude
FROM (
  SELECT claims.item, items.name, items.user AS poster, claims.user AS claimant, claims.claimed_at,
    day_diff(:date, local.day) AS days_waiting, items.longitude, items.latitude
  FROM claims
  JOIN items ON items.id = claims.item
  JOIN local_times('claims') AS local ON local.id = claims.item || '/' || claims.user AND local.user = claims.user
  WHERE claims.state = 'claimed'
) AS waiting
WHERE coalesce(waiting.days_waiting, 0) >= :days
  AND (:user IS NULL OR waiting.poster = :user OR waiting.claimant = :user)
ORDER BY microseconds(waiting.claimed_at) NULLS LAST, waiting.item
