/// The template for `report new`: a small report that runs without changes.
public enum ReportSkeleton {
    /// Returns the text of a new report file.
    ///
    /// - Parameter id: The ID of the report, from which its title is derived.
    /// - Returns: The header and the SQL.
    public static func text(id: String) -> String {
        """
        -- title: \(title(id))
        -- description: How often each habit was done in a range of days, most often first.
        --   Describe here what the report shows and how it counts. Two spaces after the dashes continue a value.
        -- parameter: from date default today-27 - The first day.
        -- parameter: to date default today - The last day.
        -- parameter: user user optional - Only this user's habits; 'me' is the signed-in user.
        -- column: habit text - The habit's id.
        -- column: title text - The habit's title.
        -- column: done integer days - The number of due days on which the habit was done.
        -- key: habit
        -- formats: text csv json ndjson html parquet
        -- chart: bars done by title
        -- example: --from today-6 --to today
        SELECT
          -- One column for each 'column' of the header, in the same order and under the same name.
          habits.id AS habit,
          habits.title,
          count(*) AS done
        -- The views are users, habits, events, items, posts, follows, claims and messages. They contain the rows that the
        -- user can see.
        FROM habits
        -- The function habit_days has a row for each day of each habit that the user owns. Its outcome is 'done' only if
        -- the day counts as done: the amount of the event reaches the target amount of the habit.
        JOIN habit_days(:from, :to) AS days ON days.habit = habits.id
        -- Write a parameter as ':name'. An omitted optional parameter is NULL. The SQL parameters of a position p are
        -- ':p_longitude' and ':p_latitude'.
        WHERE days.outcome = 'done'
          AND (:user IS NULL OR habits.user = :user)
        GROUP BY habits.id, habits.title
        -- ORDER BY contains every column of the header's 'key', so that the order of the rows is unique.
        ORDER BY done DESC, habits.id
        -- For a map, add two columns 'number degrees', '-- geometry: longitude latitude' and the formats geojson and geojsonseq.
        -- For the nightly run, add '-- parameter: date date default yesterday - The report day.' and '-- nightly: csv html'.
        -- For an alert rule, add the same parameter and '-- alert: {title} was done only {done} times'.
        -- The report check lists all problems in this file.

        """
    }

    /// Returns a title for an ID, for example "Weekly rates" for `weekly-rates`.
    private static func title(_ id: String) -> String {
        let words = id.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
