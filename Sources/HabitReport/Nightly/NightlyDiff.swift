import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// A comparison of the output folders of two nightly runs.
///
/// If both folders have the same CSV file, its rows are compared by the key of the report. Memory use grows with the
/// size of the largest CSV file. For a file in only one of the folders, the result has one row. The same applies to a
/// changed file of a report that does not have a CSV file in both folders. Changes of the summary, the pages and the
/// digests are not part of the result, because they only repeat the reports.
public struct NightlyDiff {
    /// The shape of the rows that ``rows()`` returns.
    ///
    /// `change` is `added`, `removed` or `changed`. A row without a `key` describes a file, or a complete column if it
    /// has a `column`. `before` and `after` contain the earlier and the later value.
    public static let shape = ResultShape(
        columns: ["report", "change", "key", "column", "before", "after"].enumerated().map { index, name in
            Column(name, .text, at: index)
        })

    private let before: ArchivedRun
    private let after: ArchivedRun

    private struct ArchivedRun {
        let folder: String
        let manifest: NightlyManifest

        init(_ name: String, in archive: NightlyArchive?) throws {
            let date = Day(name)
            let isNamed = date != nil || name == NightlyArchiveWriter.latest
            let archived = isNamed ? archive?.file(name) : nil
            folder = archived ?? name
            manifest = try NightlyManifest(inFolder: folder)
            guard date == nil || date == manifest.date else {
                throw HabitError(
                    .fieldInvalid,
                    "'\(folder)' contains the nightly run of \(manifest.date): repeat the run of \(name)",
                    field: "date",
                    file: folder)
            }
        }

        func file(_ name: String) -> NightlyManifest.File? {
            manifest.files.first { $0.name == name }
        }

        func hasTable(of report: String) -> Bool {
            manifest.files.contains { $0.report == report && $0.isTable }
        }

        func path(of file: NightlyManifest.File) -> String { folder + "/" + file.name }
    }

    /// Reads the manifests of two nightly runs.
    ///
    /// - Parameters:
    ///   - before: The folder of the earlier run. If `archive` is not `nil`, a date or `latest` is accepted, too.
    ///   - after: The folder of the later run, in the same forms as `before`.
    ///   - archive: The nightly archive that contains the runs of dates, or `nil`.
    /// - Throws: `input-not-found` for a missing manifest, `input-unreadable` or `field-invalid` for an invalid one,
    ///   and `field-invalid` if the folder of a date contains the run of another date.
    public init(from before: String, to after: String, in archive: NightlyArchive? = nil) throws {
        self.before = try ArchivedRun(before, in: archive)
        self.after = try ArchivedRun(after, in: archive)
    }

    /// Returns the changes, sorted by report, key and column.
    ///
    /// - Returns: One row for each change, with the columns of ``shape``.
    /// - Throws: `field-invalid` if a file differs from its manifest, `input-not-found`, `input-unreadable`, and
    ///   `row-invalid` or `header-invalid` if the program cannot have written a CSV file.
    public func rows() throws -> [ValueRow] {
        let files = before.manifest.files + after.manifest.files
        var changes: [Change] = []
        for name in Set(files.map(\.name)) where !Self.repeatsReports(name) {
            changes += try self.changes(of: name)
        }
        return changes.sorted().map(\.row)
    }

    /// Whether a file is a page or a digest of a user, or the list of the pages.
    private static func repeatsReports(_ name: String) -> Bool {
        name == NightlyUserPages.listName || NightlyUserPages.isPage(name) || NightlyDigests.isDigest(name)
    }

    private func changes(of name: String) throws -> [Change] {
        switch (before.file(name), after.file(name)) {
        case (let old?, let new?):
            if old.isTable, new.isTable { return try tableChanges(from: old, to: new) }
            return try fileChanges(from: old, to: new)
        case (let old?, nil):
            try old.check(in: before.folder)
            return [Change(old.label, .removed, before: name)]
        case (nil, let new?):
            try new.check(in: after.folder)
            return [Change(new.label, .added, after: name)]
        case (nil, nil): return []
        }
    }

    /// Whether the rows of the report are compared, so that its other files need no comparison.
    private func isCompared(_ report: String) -> Bool {
        before.hasTable(of: report) && after.hasTable(of: report)
    }

    private func fileChanges(from old: NightlyManifest.File, to new: NightlyManifest.File) throws -> [Change] {
        try old.check(in: before.folder)
        try new.check(in: after.folder)
        guard let report = new.report,
            old.sha256 != new.sha256,
            !isCompared(report)
        else { return [] }
        return [Change(new.label, .changed, before: old.sha256, after: new.sha256)]
    }

    private func tableChanges(from old: NightlyManifest.File, to new: NightlyManifest.File) throws -> [Change] {
        let oldBytes = try old.contents(in: before.folder)
        let newBytes = try new.contents(in: after.folder)
        guard old.key == new.key else {
            let oldKey = old.key.joined(separator: ",")
            let newKey = new.key.joined(separator: ",")
            return [Change(new.label, .changed, before: oldKey, after: newKey)]
        }
        guard oldBytes != newBytes else { return [] }
        do {
            let oldTable = try NightlyTable(oldBytes, key: old.key, path: before.path(of: old))
            let newTable = try NightlyTable(newBytes, key: new.key, path: after.path(of: new))
            let changes = TableChanges(report: new.label, old: oldTable, new: newTable)
            return try changes.all()
        } catch let error as HabitError where error.code == .duplicateKey {
            // The key does not identify the rows, so the changes of single rows are unknown.
            return [Change(new.label, .changed, before: old.sha256, after: new.sha256)]
        }
    }
}

extension NightlyManifest.File {
    fileprivate var isTable: Bool { format == OutputFormat.csv.rawValue }
    fileprivate var label: String { report ?? name }
}
