-- title: Nightly summary
-- description: A day, user by user: how many habits were due and done, the rate of the 4 weeks up to it, the longest current
--   streak, and what was recorded. Every user with a habit has a row; of others you see what they share.
-- parameter: date date default yesterday - Which day.
-- parameter: user user optional - Only this user.
-- column: user text - The user's id.
-- column: name text - The user's name.
-- column: due integer - Habits that were due that day; today's count once they are done.
-- column: done integer - Those of them that were done.
-- column: completion_rate number - Done by due days of all habits in the 4 weeks, Monday to Sunday, that end with the week
--   of the day, 0 to 1; empty where nothing was due.
-- column: streak integer days - The longest current streak among the habits.
-- column: streak_title text - The title of the habit that has it; empty where there is none.
-- column: events integer - Events of that day, skipped and unplanned ones too.
-- column: skipped integer - Those of them that let a day off.
-- column: unplanned integer - Those of them that were not due.
-- key: user
-- formats: text csv json ndjson html
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
