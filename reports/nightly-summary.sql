-- title: Nightly summary
-- description: Statistics of one day for each user with a habit: due and done habits, the completion rate of the 4
--   weeks up to the day, the longest current streak and the number of events. A user sees only the number of
--   shared events of other users.
-- group: nights
-- parameter: date date default yesterday - Day of the report.
-- parameter: user user optional - User to select.
-- column: user text - ID of the user.
-- column: name text - Display name of the user.
-- column: due integer - Number of habits due on the day; today's habits count after they are done.
-- column: done integer - Number of due habits that count as done in the rate; with a target, once its period reaches it.
-- column: completion_rate number share - Done days divided by due days of all habits in the 4 weeks (Monday to Sunday) that
--   end with the week of the day, 0 to 1; empty without due days.
-- column: streak integer days - Longest current streak of the habits.
-- column: streak_title text - Title of the habit with the longest streak; empty if no habit has a streak.
-- column: events integer - Number of events of the day, including skipped and unplanned events.
-- column: skipped integer - Number of events that skip the day.
-- column: unplanned integer - Number of events of habits that were not due.
-- key: user
-- formats: text csv json ndjson html parquet
-- table: user due done completion_rate streak streak_title events skipped unplanned
-- chart: bars completion_rate by user
-- nightly: text csv html
-- example: --date 2026-11-19
SELECT standing.user, users.name, standing.day_due AS due, standing.day_done AS done, standing.completion_rate,
  standing.streak_current AS streak, standing.streak_title,
  coalesce(recorded.events, 0) AS events, coalesce(recorded.skipped, 0) AS skipped,
  coalesce(recorded.unplanned, 0) AS unplanned
FROM user_standings(:date) AS standing
JOIN users ON users.id = standing.user
LEFT JOIN (
  SELECT events.user, count(*) AS events, sum(CASE WHEN events.outcome = 'skipped' THEN 1 ELSE 0 END) AS skipped,
    sum(events.unplanned) AS unplanned
  FROM events
  WHERE events.day = :date
  GROUP BY events.user
) AS recorded ON recorded.user = standing.user
WHERE (:user IS NULL OR standing.user = :user)
ORDER BY standing.user
