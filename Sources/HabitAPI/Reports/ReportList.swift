import Base
import HabitReport

/// The reports that a person can open, in groups, and the text that the person searches.
package struct ReportList: Sendable {
    /// A group with its reports.
    package struct Section: Sendable {
        package let group: ReportGroup
        package let reports: [Report]
    }

    /// The searched text; empty for all reports.
    package let search: String
    /// Whether the person can open the nightly runs.
    package let hasNights: Bool
    /// The groups that have a report.
    package let sections: [Section]

    /// Creates the list.
    ///
    /// - Parameters:
    ///   - reports: The reports, sorted by ID.
    ///   - search: The text that the title or the description contains, in any letter case.
    ///   - isForOperator: Whether the list contains the groups of the operator.
    ///   - hasNights: Whether the server has nightly runs.
    init(_ reports: [Report], search: String, isForOperator: Bool, hasNights: Bool) {
        self.search = search
        self.hasNights = hasNights && isForOperator
        let found = reports.filter { report in report.contains(search) }
        let groups = ReportGroup.allCases.filter { group in isForOperator || !group.isForOperator }
        let sections = groups.map { group in
            Section(group: group, reports: found.filter { report in report.group == group })
        }
        self.sections = sections.filter { section in !section.reports.isEmpty }
    }
}

extension Report {
    /// Whether the title or the description contains all words of a text, in any letter case.
    func contains(_ search: String) -> Bool {
        let text = "\(title) \(description)".folded
        let words = search.folded.split(whereSeparator: \.isWhitespace)
        return words.allSatisfy { word in text.contains(word) }
    }
}
