extension HTMLText {
    /// The texts of charts.
    enum Chart {
        static let days = "Day by day"
        static let noTime = "no time"
        static let noTimeShort = "none"

        static func valueCount(_ count: Int) -> String {
            count == 1 ? "\(count) value" : "\(count) values"
        }

        static func dayCount(_ count: Int) -> String {
            count == 1 ? "\(count) day" : "\(count) days"
        }

        static func omitted(_ values: String, points: Int, groups: Int) -> String {
            "The chart omits \(values) of the table: it shows up to \(points) in \(groups) groups."
        }

        static func first(_ count: Int, of all: Int) -> String {
            "The chart shows the first \(count) of \(all) rows."
        }

        static func distribution(of value: String) -> String {
            "Number of rows by \(value)"
        }

        static func grouped(_ value: String, by group: String) -> String {
            "\(value) by \(group)"
        }

        static func byWeekday(_ value: String) -> String {
            "\(value) by weekday and hour"
        }

        static func range(from first: String, to last: String) -> String {
            "\(first) to \(last)"
        }

        static func onLastDay(_ value: HTML) -> HTML {
            "\(value) on the last day"
        }

        static func value(_ value: String, on day: String) -> String {
            "\(value) on \(day)"
        }

        static func lastWeeks(_ count: Int) -> String {
            "Only the last \(count) weeks are drawn; the table has more."
        }

        static func largest(_ value: String) -> String {
            "The largest square is \(value)."
        }

        // MARK: Marks of days

        static let done = "done"
        static let partlyDone = "partly done"
        static let missed = "missed"
        static let skipped = "skipped"
        static let unplanned = "unplanned"
        static let open = "still open"
        static let notDue = "not due"
        static let nothingDue = "nothing due"
    }
}
