import StoreEngine

/// A row of a user's own habits, without the ID of the user in its column `label`.
///
/// The label of a habit is `user: title`. On a page of the user, the ID is redundant.
struct OwnRow: RowDecorator {
    let row: any Row
    private let label: Int?
    private let prefix: String

    /// Creates the row.
    ///
    /// - Parameters:
    ///   - row: The row of the engine.
    ///   - label: The index of the column `label`, or `nil` if the result has no such column.
    ///   - prefix: The beginning of the labels of the user's habits.
    init(_ row: any Row, label: Int?, prefix: String) {
        self.row = row
        self.label = label
        self.prefix = prefix
    }

    /// Returns the label without the ID, or `nil` for all other columns.
    func value(at index: Int) -> Value? {
        guard index == label,
            let text = row.text(index),
            text.hasPrefix(prefix)
        else { return nil }
        let title = text.dropFirst(prefix.count)
        return .text(String(title))
    }
}
