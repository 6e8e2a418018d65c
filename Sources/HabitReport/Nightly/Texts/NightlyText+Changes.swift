extension NightlyText {
    /// The texts of the changes since the days before.
    enum Changes {
        static func since(_ day: String) -> String {
            "Since \(day)"
        }

        static func events(_ count: Int, before: Int) -> String {
            "Events: \(count), and \(before) on the day before."
        }

        static func betterStatus(_ habits: String, count: Int) -> String {
            count == 1
                ? "\(count) habit has a better status: \(habits)."
                : "\(count) habits have a better status: \(habits)."
        }

        static func worseStatus(_ habits: String, count: Int) -> String {
            count == 1
                ? "\(count) habit has a worse status: \(habits)."
                : "\(count) habits have a worse status: \(habits)."
        }

        static func endedStreak(_ habits: String, count: Int) -> String {
            count == 1
                ? "\(count) habit has no streak any longer: \(habits)."
                : "\(count) habits have no streak any longer: \(habits)."
        }

        static func quiet(_ users: String, count: Int) -> String {
            count == 1 ? "\(count) user is quiet now: \(users)." : "\(count) users are quiet now: \(users)."
        }

        static func active(_ users: String, count: Int) -> String {
            count == 1 ? "\(count) user is active again: \(users)." : "\(count) users are active again: \(users)."
        }

        static func status(of habit: String, from before: String, to after: String) -> String {
            "\(habit) (\(before) to \(after))"
        }

        static func streak(of habit: String, after days: String) -> String {
            "\(habit) after \(days)"
        }

        static func withMore(_ entries: String, more: Int) -> String {
            "\(entries), and \(more) more"
        }
    }
}
