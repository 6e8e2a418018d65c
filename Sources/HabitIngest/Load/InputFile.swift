import Foundation
import HabitModel

/// One input to read: a file, or the standard input.
public struct InputFile: Sendable, Equatable {
    /// Nil: the standard input.
    public var path: String?
    /// Nil: each record, or the document, says its kind itself.
    public var kind: RecordKind?
    /// Whether the command line names its folder instead of the file. Such a file is read only if it is a regular file.
    public var isFolderMember = false

    /// What messages call it.
    public var name: String { path ?? "standard input" }

    /// In bytes, as it lies on the disk; 0 where that is not known.
    var size: Int {
        let attributes = path.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Where the paths of its photos begin; nil for the standard input.
    var folder: String? {
        path.map(\.pathParts.folder)
    }
}

/// The inputs that a command line names, in the order in which they are read.
public struct InputPlan: Sendable {
    public private(set) var files: [InputFile] = []
    /// The files of folders that are left out, since their names tell no kind.
    public private(set) var skipped: [String] = []

    /// Folders stand for the files in them (not below them); `-` for the standard input. `kind` is that of every input.
    ///
    /// Sorted by kind, so that what a record refers to is read before it; within a kind by the order of the arguments,
    /// then by name.
    ///
    /// Throws `input-not-found` or `input-unreadable`.
    public init(paths: [String], kind: RecordKind?) throws(HabitError) {
        for path in paths {
            if path == "-" {
                files.append(InputFile(path: nil, kind: kind))
            } else if try Self.isFolder(path) {
                try addFolder(path, kind: kind)
            } else {
                files.append(InputFile(path: path, kind: kind ?? Self.kind(ofName: path)))
            }
        }
        let order = files.enumerated().sorted { a, b in
            Self.rank(a.element) == Self.rank(b.element)
                ? a.offset < b.offset : Self.rank(a.element) < Self.rank(b.element)
        }
        files = order.map(\.element)
    }

    private mutating func addFolder(_ path: String, kind: RecordKind?) throws(HabitError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw HabitError(
                .inputUnreadable, "the folder '\(path)' cannot be read: its permissions forbid it", file: path)
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            let file = path.hasSuffix("/") ? path + name : path + "/" + name
            if (try? Self.isFolder(file)) == true { continue }
            if let kind = Self.kind(ofName: name) ?? (Self.isData(name) ? kind : nil) {
                try addMember(file, kind: kind)
            } else if Self.isGeoJSON(name) {
                try addMember(file, kind: nil)
            } else {
                skipped.append(file)
            }
        }
    }

    /// Adds a file of a folder. A pipe would block the load, and a link may lead out of the folder.
    private mutating func addMember(_ path: String, kind: RecordKind?) throws(HabitError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw HabitError(
                .inputUnreadable,
                "'\(path)' is not a regular file: remove it from the folder, or name it itself to read it", file: path)
        }
        files.append(InputFile(path: path, kind: kind, isFolderMember: true))
    }

    /// The kind that a name begins with: `events.csv`, `events-2026.ndjson.gz`.
    static func kind(ofName path: String) -> RecordKind? {
        let name = (path as NSString).lastPathComponent
        guard isData(name) else { return nil }
        return RecordKind(rawValue: String(name.prefix { $0 != "." && $0 != "-" && $0 != "_" }))
    }

    private static let endings = [
        "csv", "tsv", "tab", "json", "ndjson", "jsonl", "geojson", "geojsonl", "geojsons", "geojsonseq",
    ]

    private static func isData(_ name: String) -> Bool {
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        return endings.contains((plain as NSString).pathExtension.lowercased())
    }

    private static func isGeoJSON(_ name: String) -> Bool {
        [".geojson", ".geojson.gz"].contains { name.lowercased().hasSuffix($0) }
    }

    private static func isFolder(_ path: String) throws(HabitError) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HabitError(.inputNotFound, "there is no file or folder '\(path)'", file: path)
        }
        return isFolder.boolValue
    }

    /// Inputs of mixed kinds come last: they may refer to anything.
    private static func rank(_ file: InputFile) -> Int {
        file.kind.flatMap { RecordKind.allCases.firstIndex(of: $0) } ?? RecordKind.allCases.count
    }
}
