-- title: Completion
-- description: The number of due days and of done days by day, week, month, habit or user. A user sees only the user's
--   own habits. Today counts after the habit is done. Skipped days are not due. Groups without due days have no row.
-- group: habits
-- parameter: from date default today-27 - First day of the report.
-- parameter: to date default today - Last day of the report.
-- parameter: by day|week|month|habit|user default week - Grouping of the days.
-- parameter: user user optional - User whose habits are selected.
-- parameter: habit habit optional - Habit to select, by ID or title.
-- column: name text - Group: the day, the Monday of the week, the month, or the ID of the habit or user.
-- column: title text - Title of the habit if days are grouped by habit, otherwise empty.
-- column: due integer days - Number of due days.
-- column: done integer days - Number of due days on which the habit was done.
-- column: completion_rate number share - Done days divided by due days, 0 to 1.
-- key: name
-- formats: text csv json ndjson html parquet
-- chart: bars completion_rate by name
-- example: --from 2026-09-01 --by month --user alice
SELECT counted.name, counted.title, counted.due, counted.done,
  CAST(counted.done AS DOUBLE PRECISION) / counted.due AS completion_rate
FROM habit_completions(:by, :from, :to, :user, :habit) AS counted
ORDER BY counted.name
