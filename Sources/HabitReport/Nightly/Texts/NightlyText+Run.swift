extension NightlyText {
    /// The texts of the page and the summary of a run, and of the digests.
    enum Run {
        static let dayNote = "Each day is a calendar date in the time zone of the user of its row."
        static let files = "Files"

        /// The heading; `dates` are the dates of the run after a preposition.
        static func heading(_ dates: String) -> String {
            "Habits \(dates)"
        }

        static func onDay(_ day: String, weekday: String) -> String {
            "on \(weekday), \(day)"
        }

        static func dates(from first: String, to last: String) -> String {
            "from \(first) to \(last)"
        }

        static func preliminary(_ users: String) -> String {
            "Preliminary: the day is not over for \(users)."
        }

        static func preliminaryWithMore(_ users: String, more: Int) -> String {
            "Preliminary: the day is not over for \(users) and \(more) more."
        }

        static func digest(for user: String) -> String {
            "For \(user)"
        }

        static func digestSentence(for user: String) -> String {
            "For \(user)."
        }

        // MARK: The files

        static func page(_ file: String) -> String {
            "\(file): the page for the browser"
        }

        static func userPages(_ files: String, count: Int) -> String {
            "\(files): the pages of the users (\(count))"
        }

        static func fileRows(_ file: String, count: Int) -> String {
            count == 1 ? "\(file): \(count) row" : "\(file): \(count) rows"
        }

        // MARK: Tables

        static func moreRows(_ count: Int) -> String {
            count == 1 ? "… and \(count) more row" : "… and \(count) more rows"
        }

        static func moreRowsInFile(_ count: Int, file: String) -> String {
            "\(moreRows(count)) in \(file)"
        }
    }
}
