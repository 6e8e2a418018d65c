/// The headings of columns in texts for people.
///
/// `--columns` accepts a heading in place of the name of its column.
package enum ColumnLabel {
    /// The headings that differ from the name, by name.
    package static let standard = [
        "claimed_by": "claimed",
        "completion_rate": "rate",
        "distance_m": "distance",
        "has_photo": "photo",
        "previous_rate": "before",
        "streak_current": "streak",
        "streak_longest": "best",
    ]

    /// The heading of a position, which has two columns in other formats.
    package static let place = "place"

    /// Returns the names of the columns that may have a heading.
    package static func names(for label: String) -> [String] {
        if label == place { return ["longitude", "latitude"] }
        return standard.filter { entry in entry.value == label }.map(\.key)
    }
}
