import HabitModel

extension NightlyDiff {
    /// The changes of one table.
    struct TableChanges {
        let report: String
        let old: NightlyTable
        let new: NightlyTable

        func all() throws -> [Change] {
            var changes = columnChanges
            let common = new.columns.enumerated().compactMap { index, name in
                old.columns.firstIndex(of: name).map { (name: name, before: $0, after: index) }
            }
            for (key, row) in new.rows {
                guard let oldRow = old.rows[key] else {
                    changes.append(Change(report, .added, key: key))
                    continue
                }
                if old.columns == new.columns, old.source(oldRow) == new.source(row) { continue }
                let (before, after) = (try old.cells(oldRow), try new.cells(row))
                for column in common where before[column.before] != after[column.after] {
                    changes.append(
                        Change(
                            report, .changed, key: key, column: column.name, before: before[column.before],
                            after: after[column.after]))
                }
            }
            return changes
                + old.rows.keys.filter { new.rows[$0] == nil }.map { Change(report, .removed, key: $0) }
        }

        /// The columns in only one of the tables.
        ///
        /// Each column is reported once, and not in each row.
        private var columnChanges: [Change] {
            old.columns.filter { !new.columns.contains($0) }.map { Change(report, .removed, column: $0) }
                + new.columns.filter { !old.columns.contains($0) }.map { Change(report, .added, column: $0) }
        }
    }
}
