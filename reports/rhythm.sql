-- title: Rhythm of the week
-- description: The number of events by weekday and hour of their local time. The weekday belongs to the day for which
--   the event counts: an event after midnight can count for the previous day. Skipped days are excluded.
-- parameter: from date optional - First day of the events.
-- parameter: to date optional - Last day of the events.
-- parameter: user user optional - User whose events are selected.
-- parameter: habit habit optional - Habit whose events are selected, by ID or title.
-- column: weekday integer - Weekday, from 1 for Monday to 7 for Sunday.
-- column: hour integer h - Local hour of the events, 0 to 23; empty if only the day is known.
-- column: label text - Weekday and hour as text.
-- column: events integer - Number of events.
-- column: share number - Fraction of all counted events, 0 to 1.
-- key: weekday hour
-- formats: text csv json ndjson html parquet
-- table: label events share
-- chart: week events by weekday hour
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
