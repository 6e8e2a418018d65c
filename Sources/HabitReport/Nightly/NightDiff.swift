import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// What changed from one night to another.
///
/// Each CSV file that both have is compared row by row, by the key of its report; memory grows with the largest of them.
/// Files that only one has are named, and so are changed files of reports that have no CSV in both. Summary and index,
/// which belong to no report, say nothing that the reports do not.
public struct NightDiff {
    /// What the rows look like.
    ///
    /// `change` is added, removed or changed; without a `key` the row is about a file, or about `column` as a whole, and
    /// `before` and `after` name what there was and is.
    public static let shape = ResultShape(
        columns: ["report", "change", "key", "column", "before", "after"].enumerated().map {
            Column($1, .text, at: $0)
        })

    private let before: Night
    private let after: Night

    private struct Night {
        let folder: String
        let manifest: NightManifest

        init(_ name: String, in nights: NightFolder?) throws {
            let isNamed = Day(name) != nil || name == NightWriter.latest
            folder = (isNamed ? nights?.file(name) : nil) ?? name
            manifest = try NightManifest(inFolder: folder)
            guard Day(name).map({ $0 == manifest.date }) ?? true else {
                throw HabitError(
                    .fieldInvalid, "\(folder) holds the night of \(manifest.date): run the night of \(name) again",
                    field: "date", file: folder)
            }
        }

        func file(_ name: String) -> NightManifest.File? { manifest.files.first { $0.name == name } }

        func hasTable(of report: String) -> Bool { manifest.files.contains { $0.report == report && $0.isTable } }

        func path(of file: NightManifest.File) -> String { folder + "/" + file.name }
    }

    /// - Parameters:
    ///   - before: the folder of the earlier night, or its date or `latest` where `nights` is given; so is `after`.
    /// - Throws: as `NightManifest.init(inFolder:)`.
    public init(from before: String, to after: String, in nights: NightFolder? = nil) throws {
        self.before = try Night(before, in: nights)
        self.after = try Night(after, in: nights)
    }

    /// The changes, by report, key and column.
    ///
    /// - Throws: `field-invalid` where a file is not what its manifest says; `input-not-found`, `input-unreadable`;
    ///   `row-invalid`, `header-invalid` where a CSV file is none of ours.
    public func rows() throws -> [ValueRow] {
        let names = Set((before.manifest.files + after.manifest.files).map(\.name))
        var changes: [Change] = []
        for name in names { changes += try self.changes(of: name) }
        return changes.sorted().map(\.row)
    }

    private func changes(of name: String) throws -> [NightDiff.Change] {
        switch (before.file(name), after.file(name)) {
        case (let old?, let new?) where old.isTable && new.isTable: return try tableChanges(old, new)
        case (let old?, let new?):
            try old.check(in: before.folder)
            try new.check(in: after.folder)
            guard let report = new.report, old.sha256 != new.sha256, !isCompared(report) else { return [] }
            return [Change(new.label, .changed, before: old.sha256, after: new.sha256)]
        case (let old?, nil):
            try old.check(in: before.folder)
            return [Change(old.label, .removed, before: name)]
        case (nil, let new?):
            try new.check(in: after.folder)
            return [Change(new.label, .added, after: name)]
        case (nil, nil): return []
        }
    }

    /// Whether the rows of the report are compared, so that its other files need not be.
    private func isCompared(_ report: String) -> Bool { before.hasTable(of: report) && after.hasTable(of: report) }

    private func tableChanges(_ old: NightManifest.File, _ new: NightManifest.File) throws -> [NightDiff.Change] {
        let (first, second) = (try old.contents(in: before.folder), try new.contents(in: after.folder))
        guard old.key == new.key else {
            let (first, second) = (old.key.joined(separator: ","), new.key.joined(separator: ","))
            return [Change(new.label, .changed, before: first, after: second)]
        }
        guard first != second else { return [] }
        do {
            return try TableChanges(
                report: new.label, old: NightTable(first, key: old.key, path: before.path(of: old)),
                new: NightTable(second, key: new.key, path: after.path(of: new))
            ).all()
        } catch let error as HabitError where error.code == .duplicateKey {
            // The report's key does not tell its rows apart: there is nothing to say of one of them.
            return [Change(new.label, .changed, before: old.sha256, after: new.sha256)]
        }
    }
}

extension NightManifest.File {
    fileprivate var isTable: Bool { format == OutputFormat.csv.rawValue }
    fileprivate var label: String { report ?? name }
}
