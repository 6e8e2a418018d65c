/// The words that SQL of users may and may not contain.
enum AnalysisWords {
    /// The functions that SQL of users may call, except table functions.
    static let functions = words(
        """
        abs avg ceil ceiling char_length chr coalesce concat concat_ws count cume_dist degrees dense_rank distance exp extract
        first_value floor format greatest json_agg json_build_array json_build_object json_object_agg lag last_value lead
        least left length ln local_hour log log10 lower lpad ltrim max microseconds min mod nth_value ntile
        nullif percent_rank pi position pow power radians rank replace rfc3339 right round row_number rpad rtrim sign
        split_part sqrt starts_with string_agg strpos substr substring sum to_char trim trunc upper weekday week_start day_add
        day_diff in_area iso_week median month percentile year
        """)

    /// The calendar functions that an error recommends.
    static let calendar =
        "weekday, week_start, month, year, iso_week, day_add, day_diff, local_hour, microseconds"

    /// The functions whose results can depend on the clock.
    static let clocks = words(
        "date time datetime julianday strftime unixepoch now clock_timestamp timeofday age")

    /// The types that a CAST may name.
    static let types = words(
        """
        text varchar char bigint integer int smallint int2 int4 int8 real float float4 float8 double numeric decimal
        boolean bool json jsonb
        """)

    /// The types whose values can depend on the clock.
    static let moments = words("date time timetz timestamp timestamptz")

    /// The schemas that SQL of users cannot name.
    static let schemas: Set<String> = [
        "habitat", "habitat_functions", "information_schema", "public", "pg_temp", AnalystViews.forReaders,
        AnalystViews.forOperator,
    ]

    /// The unquoted words that SQL of users cannot contain.
    static let forbidden = words(
        """
        current_user session_user current_role current_catalog current_schema current_date current_time
        current_timestamp localtime localtimestamp tablesample into insert update delete merge now
        """)

    /// The unquoted words before a parenthesis that do not call a function.
    static let clauses = words(
        """
        select from join where and or not in exists any all some on using as over filter within group by partition
        order having limit offset union except intersect values case when then else between like is distinct
        materialized with lateral row array cast rollup cube sets interval double precision numeric decimal varchar
        char only
        """)

    private static func words(_ text: String) -> Set<String> {
        let parts = text.split { character in character == " " || character == "\n" }
        return Set(parts.map(String.init))
    }
}
