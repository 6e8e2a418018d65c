extension NightlyText {
    /// The texts around the content of pages: links, labels and headings of columns.
    enum Frame {
        static let previous = "‹ Previous"
        static let next = "Next ›"
        static let allDates = "All dates"
        static let allUsers = "All users"
        static let overview = "Overview"

        static let date = "date"
        static let weekday = "weekday"
        static let week = "week"
        static let month = "month"
        static let user = "user"
        static let name = "name"
        static let done = "done"
        static let rate = "rate"
        static let streak = "streak"

        static func table(_ title: String) -> String {
            "Table: \(title)"
        }
    }
}
