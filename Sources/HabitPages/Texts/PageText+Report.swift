import Rendering

extension PageText {
    /// The texts of the pages of reports.
    enum Report {
        static let about =
            "Reports about your habits, places, items and posts. Each report contains only records that you can see."
        static let nights = "All nightly runs"
        static let searchField = "Search the reports"
        static let search = "Search"
        static let all = "Show all reports"
        static let result = "Result"
        static let show = "Show the report"
        static let clear = "Clear the form"
        static let period = "Period"
        static let weeks = "4 weeks"
        static let quarter = "Quarter"
        static let year = "Year"
        static let allRows = "All rows as"
        static let command = "The same as a command line"

        static func noneContains(_ words: String) -> HTML {
            "No report contains the words \(isolated: words)."
        }

        static func contain(_ count: Int) -> String {
            count == 1 ? "\(count) report contains these words." : "\(count) reports contain these words."
        }

        static func refused(_ field: HTML) -> HTML {
            "The report did not run. Check the field \(field)."
        }

        static func missing(_ field: HTML) -> HTML {
            "The report needs one more value: \(field). Fill it in, and select \u{201C}\(show)\u{201D}."
        }

        static func folder(_ option: HTML) -> HTML {
            "Add \(option) with the folder of the report."
        }

        // MARK: Fields

        static let choose = "Choose"
        static let allRecords = "All"
        static let yes = "Yes"
        static let no = "No"
        static let latitude = "Latitude"
        static let longitude = "Longitude"
        static let newestPosition = "Use the position of my newest event"
        static let positionProblem =
            """
            Write the latitude from -90 to 90 and the longitude from -180 to 180, in degrees such as 38.7223.
            """

        static func standard(_ value: String) -> String {
            "Default: \(value)"
        }

        /// The effect of an empty field.
        ///
        /// - Parameters:
        ///   - value: The value that the report then uses.
        ///   - date: The date of a relative value; `nil` for none.
        /// - Returns: The sentence.
        static func empty(means value: String, on date: String?) -> HTML {
            guard let date else { return "Empty means \(isolated: value)." }
            return "Empty means \(isolated: value) (\(isolated: date))."
        }

        // MARK: Formats

        static let text = "Text"
        static let sequence = "GeoJSON sequence"
    }
}
