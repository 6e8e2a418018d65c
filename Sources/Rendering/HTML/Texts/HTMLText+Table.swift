extension HTMLText {
    /// The texts of tables, and of the parts of documents around them.
    enum Table {
        static let pages = "Pages"
        static let sections = "Sections"
        static let formats = "Also as:"
        static let meanings = "What the columns mean"
        static let title = "Table"
        static let photo = "Photo"
        static let yes = "yes"
        static let no = "no"
        static let empty = "No rows yet."
        static let noMatch = "No rows match these parameters."
        static let missingChart = "A chart is missing because its columns were not selected."
        static let charts = "Charts"

        static func label(_ title: String) -> String {
            "Table: \(title)"
        }

        static func titled(withRows rows: String) -> String {
            "Table of \(rows)"
        }

        static func rows(_ count: Int) -> String {
            count == 1 ? "\(count) row" : "\(count) rows"
        }

        static func first(_ count: Int, of rows: String) -> String {
            "The first \(count) of \(rows)"
        }

        static func firstInFile(_ count: Int, of rows: String, file: String) -> String {
            "The first \(count) of \(rows): all are in \(file)"
        }

        static func chartsFollow(_ charts: HTML) -> HTML {
            "\(charts) follow the table."
        }
    }
}
