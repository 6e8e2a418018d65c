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
        --   Say here what the report tells and how it counts; two spaces behind the dashes continue a value.
        -- parameter: from date default today-27 - The first day.
        -- parameter: to date default today - The last day.
        -- parameter: user user optional - Only this user's habits; 'me' is whoever asks.
        -- column: habit text - The habit's id.
        -- column: title text - The habit's title.
        -- column: done integer days - On how many of the days it was done.
        -- key: habit
        -- formats: text csv json ndjson html
        -- chart: bars done by title
        -- example: --from today-6 --to today
        SELECT
          -- One column for each 'column' of the header, in the same order and under the same name.
          habit,
          title,
          count(*) AS done
        -- There are users, habits, events, items, posts, follows, claims and messages; they hold what the asking user may see.
        FROM events
        -- A parameter is ':name'; one that is optional and not given is NULL. A position p is ':p_longitude' and ':p_latitude'.
        WHERE outcome = 'done'
          AND day BETWEEN :from AND :to
          AND (:user IS NULL OR user = :user)
        GROUP BY habit, title
        -- Every column of the header's 'key' stands here, so that the rows have the same order each time.
        ORDER BY done DESC, habit
        -- For a map: columns 'number degrees', '-- geometry: longitude latitude' and the formats geojson and geojsonseq.
        -- For the nightly run: '-- parameter: date date default yesterday - Which day.' and '-- nightly: csv html'.
        -- Then ask 'habitat report check' what is still wrong.

        """
    }

    /// Returns a title for an ID, for example "Weekly rates" for `weekly-rates`.
    private static func title(_ id: String) -> String {
        let words = id.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
