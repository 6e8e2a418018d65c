-- title: Open claims
-- description: Items that are claimed and not handed over yet, whose, by whom and since when: the longest wait first. You see
--   claims of your own, and those on your items.
-- parameter: date date default today - Up to which day to count the wait.
-- parameter: days integer default 0 - Only those that have waited at least so many days.
-- parameter: user user optional - Only where this user gives or claims.
-- column: item text - The item's id.
-- column: name text - What it is.
-- column: poster text - Who gives it away.
-- column: claimant text - Who has claimed it.
-- column: claimed_at instant - When it was claimed, on the claimant's clock; empty where that is not known.
-- column: days_waiting integer days - From the date of the claim to the day asked for.
-- column: longitude number degrees - Where the item is, on WGS 84, east positive; empty where that is not known.
-- column: latitude number degrees - Where the item is, on WGS 84, north positive; empty where that is not known.
-- key: item
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
-- table: item name poster claimant claimed_at days_waiting
-- chart: map
-- chart: bars days_waiting by name
-- example: --date 2026-11-20 --days 60
SELECT waiting.item, waiting.name, waiting.poster, waiting.claimant, waiting.claimed_at, waiting.days_waiting,
  waiting.longitude, waiting.latitude
FROM (
  SELECT claims.item, items.name, items.user AS poster, claims.user AS claimant, claims.claimed_at,
    day_diff(:date, substr(claims.claimed_at, 1, 10)) AS days_waiting, items.longitude, items.latitude
  FROM claims
  JOIN items ON items.id = claims.item
  WHERE claims.state = 'claimed'
) AS waiting
WHERE coalesce(waiting.days_waiting, 0) >= :days
  AND (:user IS NULL OR waiting.poster = :user OR waiting.claimant = :user)
ORDER BY microseconds(waiting.claimed_at) NULLS LAST, waiting.item
