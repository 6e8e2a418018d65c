extension NightlyText {
    /// The texts of the figures: the tiles of pages, and the sentences of summaries and digests.
    enum Figures {
        // MARK: Tiles

        static let done = "Done"
        static let change = "Change"
        static let events = "Events"
        static let quietUsers = "Quiet users"
        static let longestStreaks = "Longest current streaks"
        static let longestStreak = "Longest current streak"
        static let rateBefore = "Rate before"
        static let fourWeeks = "Four weeks"

        static func active(_ active: Int, of users: Int) -> String {
            users == 1 ? "by \(active) of \(users) user" : "by \(active) of \(users) users"
        }

        /// The figures of the days before; `period` are these days after a preposition.
        static func before(_ figures: String, _ period: String) -> String {
            "\(figures) \(period)"
        }

        // MARK: The days before

        static let inWeekBefore = "in the week before"

        static func onDay(_ day: String) -> String {
            "on \(day)"
        }

        static func inDaysBefore(_ count: Int) -> String {
            "in the \(count) days before"
        }

        // MARK: Sentences

        static let nothingDue = "Nothing was due."
        static let asMany = "as many as"

        static func more(_ count: Int) -> String {
            "\(count) more than"
        }

        static func fewer(_ count: Int) -> String {
            "\(count) fewer than"
        }

        static func withRate(_ figures: String, rate: String) -> String {
            "\(figures), \(rate)"
        }

        static func doneSentence(_ figures: String) -> String {
            "Done: \(figures)."
        }

        /// The figures next to those of the days before.
        ///
        /// - Parameters:
        ///   - figures: The figures of the run.
        ///   - difference: The difference, such as `2 more than`.
        ///   - period: The days before after a preposition.
        ///   - before: The figures of the days before.
        /// - Returns: The sentence.
        static func doneCompared(
            _ figures: String,
            difference: String,
            period: String,
            before: String
        ) -> String {
            "Done: \(figures), \(difference) \(period) (\(before))."
        }

        static func rateBeforeSentence(_ rate: String) -> String {
            "Before: \(rate)."
        }

        static func fourWeeksSentence(_ rate: String) -> String {
            "Four weeks: \(rate)."
        }

        static func streak(_ habit: String, days: String) -> String {
            "\(habit) (\(days))"
        }

        static func longestStreaksSentence(_ streaks: String) -> String {
            "Longest current streaks: \(streaks)."
        }

        static func longestStreakSentence(_ streak: String) -> String {
            "Longest current streak: \(streak)."
        }

        static func quietUsersSentence(_ count: Int) -> String {
            "Quiet users: \(count)."
        }
    }
}
