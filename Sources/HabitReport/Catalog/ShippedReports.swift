/// The shipped reports.
///
/// The build embeds each file of the folder `reports`.
enum ShippedReports {
    /// The contents of the report files by ID.
    ///
    /// A test compares them with the folder.
    static let files: [String: [UInt8]] = [
        "alert-no-events": PackageResources.alert_no_events_sql,
        "alert-rate": PackageResources.alert_rate_sql,
        "alert-streak": PackageResources.alert_streak_sql,
        "calendar": PackageResources.calendar_sql,
        "claims-open": PackageResources.claims_open_sql,
        "completion": PackageResources.completion_sql,
        "day-events": PackageResources.day_events_sql,
        "density": PackageResources.density_sql,
        "friends-latest": PackageResources.friends_latest_sql,
        "habits": PackageResources.habits_sql,
        "history": PackageResources.history_sql,
        "items-near": PackageResources.items_near_sql,
        "near": PackageResources.near_sql,
        "nightly-summary": PackageResources.nightly_summary_sql,
        "period-habits": PackageResources.period_habits_sql,
        "period-summary": PackageResources.period_summary_sql,
        "places": PackageResources.places_sql,
        "posts": PackageResources.posts_sql,
        "quiet-users": PackageResources.quiet_users_sql,
        "rhythm": PackageResources.rhythm_sql,
        "score": PackageResources.score_sql,
        "streaks": PackageResources.streaks_sql,
        "todo": PackageResources.todo_sql,
        "unplanned": PackageResources.unplanned_sql,
    ]
}
