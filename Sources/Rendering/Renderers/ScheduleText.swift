/// The short form of a schedule.
package enum ScheduleText {
    /// Returns the short form of the names of weekdays, or of a target such as `3 times in 7 days`.
    ///
    /// Any other text is returned unchanged.
    package static func forPeople(_ text: String) -> String {
        switch text {
        case "mon tue wed thu fri sat sun": "daily"
        case "mon tue wed thu fri": "weekdays"
        case "sat sun": "weekends"
        default: target(text) ?? text
        }
    }

    /// Returns the short form of a target, or `nil` for any other text.
    private static func target(_ text: String) -> String? {
        let words = text.split(separator: " ")
        guard words.count == 5, words[2] == "in" else { return nil }
        guard words[1].hasPrefix("time"), words[4].hasPrefix("day") else { return nil }
        let times = words[0]
        let days = words[3]
        return switch days {
        case "1": "\(times) a day"
        case "7": "\(times) a week"
        case "30": "\(times) a month"
        default: "\(times) in \(days) days"
        }
    }
}
