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
WITH night AS (
  SELECT habits.user, habits.title, standing.due AS weeks_due, standing.done AS weeks_done, standing.streak_current,
    row_number() OVER (
      PARTITION BY habits.user
      ORDER BY standing.streak_current DESC NULLS LAST, habits.title, habits.id
    ) AS place,
    CASE WHEN standing.due IS NOT NULL THEN coalesce(days.due, 0) END AS due,
    CASE WHEN standing.due IS NOT NULL THEN coalesce(days.done, 0) END AS done,
    CASE WHEN events.id IS NULL THEN 0 ELSE 1 END AS recorded,
    CASE WHEN events.outcome = 'skipped' THEN 1 ELSE 0 END AS skipped,
    coalesce(events.unplanned, 0) AS unplanned
  FROM habits
  JOIN habit_standings(:date) AS standing ON standing.habit = habits.id
  LEFT JOIN habit_days(:date, :date) AS days ON days.habit = habits.id
  LEFT JOIN events ON events.habit = habits.id
    AND events.day = :date
  WHERE (:user IS NULL OR habits.user = :user)
)
SELECT night.user, users.name, sum(night.due) AS due, sum(night.done) AS done,
  CAST(sum(night.weeks_done) AS DOUBLE PRECISION) / nullif(sum(night.weeks_due), 0) AS completion_rate,
  max(night.streak_current) AS streak,
  max(CASE WHEN night.place = 1 AND night.streak_current > 0 THEN night.title END) AS streak_title,
  sum(night.recorded) AS events, sum(night.skipped) AS skipped, sum(night.unplanned) AS unplanned
FROM night
JOIN users ON users.id = night.user
GROUP BY night.user, users.name
ORDER BY night.user
