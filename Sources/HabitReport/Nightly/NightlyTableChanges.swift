import HabitModel

extension NightlyDiff {
    /// The changes of one table.
    struct TableChanges {
        let report: String
        let old: NightlyTable
        let new: NightlyTable

        func all() throws -> [Change] {
            var changes = columnChanges
            let common = commonColumns
            for (key, row) in new.rows {
                guard let oldRow = old.rows[key] else {
                    changes.append(Change(report, .added, key: key))
                    continue
                }
                if old.columns == new.columns, old.source(oldRow) == new.source(row) { continue }
                let before = try old.cells(oldRow)
                let after = try new.cells(row)
                for column in common {
                    let oldCell = before[column.before]
                    let newCell = after[column.after]
                    guard oldCell != newCell else { continue }
                    let change = Change(
                        report,
                        .changed,
                        key: key,
                        column: column.name,
                        before: oldCell,
                        after: newCell)
                    changes.append(change)
                }
            }
            for key in old.rows.keys where new.rows[key] == nil {
                changes.append(Change(report, .removed, key: key))
            }
            return changes
        }

        /// The columns of both tables, with their indexes.
        private var commonColumns: [(name: String, before: Int, after: Int)] {
            new.columns.enumerated().compactMap { index, name in
                guard let oldIndex = old.columns.firstIndex(of: name) else { return nil }
                return (name, before: oldIndex, after: index)
            }
        }

        /// The columns in only one of the tables.
        ///
        /// Each column is reported once, and not in each row.
        private var columnChanges: [Change] {
            let removed = old.columns.filter { !new.columns.contains($0) }
            let added = new.columns.filter { !old.columns.contains($0) }
            return removed.map { Change(report, .removed, column: $0) }
                + added.map { Change(report, .added, column: $0) }
        }
    }
}
