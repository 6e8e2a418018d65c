import Base
import HabitModel
import HabitStore
import StoreEngine

extension NightlyDiff {
    /// A row of a comparison.
    ///
    /// Rows are sorted by report, key and column in byte order. Missing values come before all others.
    struct Change: Comparable {
        enum Kind: String {
            case added, removed, changed
        }

        let report: String
        let kind: Kind
        var key: NightlyTable.Key?
        var column: String?
        var before: NightlyTable.Cell
        var after: NightlyTable.Cell

        init(
            _ report: String,
            _ kind: Kind,
            key: NightlyTable.Key? = nil,
            column: String? = nil,
            before: NightlyTable.Cell = nil,
            after: NightlyTable.Cell = nil
        ) {
            self.report = report
            self.kind = kind
            self.key = key
            self.column = column
            self.before = before
            self.after = after
        }

        /// Creates a change of a complete file.
        init(_ report: String, _ kind: Kind, before: String? = nil, after: String? = nil) {
            self.init(report, kind, before: Self.cell(before), after: Self.cell(after))
        }

        /// The change as a row of a result.
        ///
        /// The cells of the key form a ``CompositeID``, as in the ID of a Feature.
        var row: ValueRow {
            let key = key.map { key in
                CompositeID.text(key.cells.map { Self.text($0) ?? "" })
            }
            let texts = [report, kind.rawValue, key, column, Self.text(before), Self.text(after)]
            let values = texts.map { text -> Value in
                guard let text else { return .null }
                return .text(text)
            }
            return ValueRow(values)
        }

        static func < (a: Change, b: Change) -> Bool {
            if a.report != b.report {
                return a.report.utf8.lexicographicallyPrecedes(b.report.utf8)
            }
            if a.key != b.key {
                guard let first = a.key, let second = b.key else { return a.key == nil }
                return first < second
            }
            return a.rest < b.rest
        }

        private var rest: NightlyTable.Key {
            let kind = Self.cell(kind.rawValue)
            return NightlyTable.Key(cells: [Self.cell(column), before, after, kind])
        }

        private static func cell(_ text: String?) -> NightlyTable.Cell {
            text.map { Array($0.utf8) }
        }

        private static func text(_ cell: NightlyTable.Cell) -> String? {
            cell.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
