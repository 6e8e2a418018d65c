import Base
import Foundation
import HabitModel

extension HabitError {
    /// The error for a file in a folder whose name is not UTF-8.
    ///
    /// - Parameters:
    ///   - name: The name with escaped bytes.
    ///   - folder: The path of the folder.
    /// - Returns: The error.
    static func notUTF8(_ name: String, inFolder folder: String) -> HabitError {
        HabitError(
            .inputUnreadable, "the name of the file '\(name)' in the folder is not UTF-8 text: rename the file",
            file: folder)
    }
}

/// One input of a load: a file or standard input.
public struct InputFile: Sendable, Equatable {
    /// The path of the file, or `nil` for standard input.
    public var path: String?
    /// The kind of all records, or `nil` if the document or each record specifies its kind.
    public var kind: RecordKind?
    /// Whether the command line names the folder of the file.
    ///
    /// Such a file is read only if it is a regular file.
    public var isFolderMember = false

    /// The name of the input in messages.
    public var name: String { path ?? "standard input" }

    /// The size of the file on disk in bytes, or 0 if the size is unknown.
    var size: Int {
        guard let path else { return 0 }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let size = attributes?[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    /// The folder to which photo paths are relative, or `nil` for standard input.
    var folder: String? {
        path.map(\.pathParts.folder)
    }
}

/// The inputs that a command line names, in the order in which they are read.
public struct InputPlan: Sendable {
    /// The inputs, sorted by kind.
    public private(set) var files: [InputFile] = []
    /// The paths of files in folders that are not read, because their names do not identify a kind.
    public private(set) var skipped: [String] = []

    /// Finds the inputs that the arguments of a command line name.
    ///
    /// The inputs are sorted by kind, so that a record is read after the records that it refers to. Inputs of the same
    /// kind are in the order of the arguments, and files of a folder are sorted by name.
    ///
    /// - Parameters:
    ///   - paths: Files, folders, and `-` for standard input. A folder stands for the files in it, without subfolders.
    ///   - kind: The kind of the inputs, or `nil` to use the file names. In folders, it applies only to data files
    ///     whose names do not begin with a kind.
    /// - Throws: `input-not-found` or `input-unreadable`.
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
        // Inputs of the same rank keep their order.
        let order = files.enumerated().sorted { first, second in
            let rank = Self.rank(first.element)
            let otherRank = Self.rank(second.element)
            return (rank, first.offset) < (otherRank, second.offset)
        }
        files = order.map(\.element)
    }

    private mutating func addFolder(_ path: String, kind: RecordKind?) throws(HabitError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw HabitError(
                .inputUnreadable, "you have no permission to read the folder: change its permissions",
                file: path)
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            let file = path.hasSuffix("/") ? path + name : path + "/" + name
            if (try? Self.isFolder(file)) == true { continue }
            let kindOfData = Self.isData(name) ? kind : nil
            if let kind = Self.kind(ofName: name) ?? kindOfData {
                try addMember(file, kind: kind)
            } else if Self.isGeoJSON(name) {
                try addMember(file, kind: nil)
            } else {
                skipped.append(file)
            }
        }
    }

    /// Adds a file of a folder, which must be a regular file.
    ///
    /// A named pipe could block the load, and a symbolic link could lead out of the folder.
    private mutating func addMember(_ path: String, kind: RecordKind?) throws(HabitError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            let folder = path.pathParts.folder
            if let name = InvalidUTF8.name(inFolder: folder) { throw HabitError.notUTF8(name, inFolder: folder) }
            throw HabitError(
                .inputUnreadable,
                "the input is not a regular file: remove it from the folder, or pass its path as an argument",
                file: path)
        }
        files.append(InputFile(path: path, kind: kind, isFolderMember: true))
    }

    /// Returns the kind that a file name begins with, as in `events.csv` and `events-2026.ndjson.gz`, or `nil`.
    static func kind(ofName path: String) -> RecordKind? {
        let name = (path as NSString).lastPathComponent
        guard isData(name) else { return nil }
        let word = name.prefix { character in !".-_".contains(character) }
        return RecordKind(rawValue: String(word))
    }

    private static func isData(_ name: String) -> Bool {
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        let ending = (plain as NSString).pathExtension.lowercased()
        return InputFormat.allFileEndings.contains(ending)
    }

    private static func isGeoJSON(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".geojson") || name.hasSuffix(".geojson.gz")
    }

    private static func isFolder(_ path: String) throws(HabitError) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HabitError(.inputNotFound, "the file or folder does not exist: check the path", file: path)
        }
        return isFolder.boolValue
    }

    /// Returns the position of an input in the reading order.
    ///
    /// Inputs without a single kind are last, because their records may refer to any other record.
    private static func rank(_ file: InputFile) -> Int {
        let kinds = RecordKind.allCases
        guard let kind = file.kind else { return kinds.count }
        return kinds.firstIndex(of: kind) ?? kinds.count
    }
}
