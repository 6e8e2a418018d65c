-- title: Completion
-- description: Due and done days, counted together by day, week, month, habit or user: 'n of m'. Only days from the first to
--   the last asked for count, and only habits of your own. Today counts once it is done; skipped days are not due. Where
--   nothing was due there is no row, and none where 'by' is another word than those five.
-- parameter: from date default today-27 - The first day.
-- parameter: to date default today - The last day.
-- parameter: by day|week|month|habit|user default week - What to count together.
-- parameter: user user optional - Only this user's habits.
-- parameter: habit habit optional - Only this habit, by its id or title.
-- column: name text - The day, the Monday of the week, the month, or the id of the habit or user.
-- column: title text - The habit's title, where days are counted by habit.
-- column: due integer days - On which a habit was due.
-- column: done integer days - Those of them on which it was done.
-- column: completion_rate number - Done by due days, 0 to 1.
-- key: name
-- formats: text csv json ndjson html
-- chart: bars completion_rate by name
-- example: --from 2026-09-01 --by month --user alice
SELECT counted.name, counted.title, sum(counted.due) AS due, sum(counted.done) AS done,
  CAST(sum(counted.done) AS DOUBLE PRECISION) / sum(counted.due) AS completion_rate
FROM (
  SELECT days.due, days.done,
    CASE :by
      WHEN 'day' THEN days.day
      WHEN 'week' THEN week_start(days.day)
      WHEN 'month' THEN substr(days.day, 1, 7)
      WHEN 'habit' THEN habits.id
      WHEN 'user' THEN habits.user
    END AS name,
    CASE :by
      WHEN 'habit' THEN habits.title
    END AS title
  FROM habits
  -- The habits come first, so that only those asked for are worked out day by day.
  CROSS JOIN habit_days(:from, :to) AS days
  WHERE days.habit = habits.id
    AND days.due = 1
    AND (:user IS NULL OR habits.user = :user)
    AND (:habit IS NULL OR habits.id = :habit)
) AS counted
WHERE counted.name IS NOT NULL
GROUP BY counted.name, counted.title
ORDER BY counted.name
