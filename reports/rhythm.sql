-- title: Rhythm of the week
-- description: On which weekdays and at which hours habits were done, on the clock of where it happened. The weekday is that
--   of the day it counts for: what was noted after midnight may count for the day before. Skipped days are left out.
-- parameter: from date optional - Only events of this day or later.
-- parameter: to date optional - Only events of this day or earlier.
-- parameter: user user optional - Only this user's events.
-- parameter: habit habit optional - Only events of this habit, by its id or title.
-- column: weekday integer - 1 for Monday to 7 for Sunday.
-- column: hour integer h - The hour in which it happened, 0 to 23; empty where only the day is known.
-- column: label text - Weekday and hour in words.
-- column: events integer - How many were done then.
-- column: share number - Of all that are counted, 0 to 1.
-- key: weekday hour
-- formats: text csv json ndjson html
-- table: label events share
-- chart: bars events by label
-- example: --user alice
SELECT counted.weekday, counted.hour,
  CASE counted.weekday
    WHEN 1 THEN 'Mon'
    WHEN 2 THEN 'Tue'
    WHEN 3 THEN 'Wed'
    WHEN 4 THEN 'Thu'
    WHEN 5 THEN 'Fri'
    WHEN 6 THEN 'Sat'
    ELSE 'Sun'
  END
  || CASE
    WHEN counted.hour IS NULL THEN ', no time'
    WHEN counted.hour < 10 THEN ' 0' || CAST(counted.hour AS TEXT) || ':00'
    ELSE ' ' || CAST(counted.hour AS TEXT) || ':00'
  END AS label,
  count(*) AS events,
  CAST(count(*) AS DOUBLE PRECISION) / sum(count(*)) OVER () AS share
FROM (
  SELECT weekday(events.day) AS weekday, local_hour(events.at) AS hour
  FROM events
  WHERE events.outcome = 'done'
    AND events.day >= coalesce(:from, '0001-01-01')
    AND events.day <= coalesce(:to, '9999-12-31')
    AND (:user IS NULL OR events.user = :user)
    AND (:habit IS NULL OR events.habit = :habit)
) AS counted
GROUP BY counted.weekday, counted.hour
ORDER BY counted.weekday, counted.hour NULLS LAST
