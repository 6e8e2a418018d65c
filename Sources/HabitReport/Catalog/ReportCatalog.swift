import Base
import Foundation
import HabitModel

/// The available reports: the reports in the user's folders and the shipped reports.
///
/// The ID of a report is its file name without `.sql`. If several folders contain the same ID, the first folder takes
/// precedence. A file takes precedence over a shipped report. The initializer lists the folders. Files are read on
/// access.
public struct ReportCatalog: Sendable {
    /// A report, or the reason why its file is not a valid report.
    public struct Entry: Sendable {
        /// The ID of the report.
        public var id: String
        /// The name of the file in errors.
        public var file: String
        /// Whether the report is embedded in the program.
        public var isShipped: Bool
        /// The report, or the error of its file.
        public var report: Result<Report, HabitError>
    }

    private enum Source {
        case shipped([UInt8])
        case file(String)

        var isShipped: Bool {
            if case .shipped = self { true } else { false }
        }

        /// Returns the name of the file of a report in errors.
        func file(of id: String) -> String {
            switch self {
            case .shipped: "\(id).sql"
            case .file(let path): path
            }
        }

        /// Returns the content of the file.
        func bytes() throws -> [UInt8] {
            switch self {
            case .shipped(let bytes): bytes
            case .file(let path): try ReportFile.read(path)
            }
        }
    }

    private var sources: [String: Source]

    /// Lists the report files in the folders.
    ///
    /// - Parameter folders: The user's report folders, in order of precedence.
    /// - Throws: `input-not-found` for a missing folder, `input-unreadable` for a folder that cannot be listed.
    public init(folders: [String]) throws {
        sources = ShippedReports.files.mapValues { bytes in .shipped(bytes) }
        for folder in folders.reversed() {
            for name in try Self.reportFiles(in: folder) {
                let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                sources[String(name.dropLast(4))] = .file(path)
            }
        }
    }

    /// The IDs of all reports, sorted.
    public var ids: [String] { sources.keys.sorted() }

    /// Reads all reports and returns them sorted by ID.
    ///
    /// - Returns: One entry per report. An entry contains an error if the file is not a valid report.
    public func all() -> [Entry] {
        ids.compactMap { id in
            guard let source = sources[id] else { return nil }
            return Self.entry(id, source)
        }
    }

    /// Reads the report with an ID, or the report in a file.
    ///
    /// - Parameter id: The ID of a report, or the path of a file. A text that ends in `.sql` is a path.
    /// - Returns: The report.
    /// - Throws: `not-found` if no report has the ID, and `report-invalid`, `input-not-found` or `input-unreadable` if
    ///   the file is not a valid report.
    public func find(_ id: String) throws -> Report {
        if id.hasSuffix(".sql") {
            let name = try Self.id(ofFile: id)
            return try Self.entry(name, .file(id)).report.get()
        }
        let source = try source(of: id)
        return try Self.entry(id, source).report.get()
    }

    private func source(of id: String) throws -> Source {
        if let source = sources[id] { return source }
        let isFile = FileManager.default.fileExists(atPath: id + ".sql")
        var error = HabitError(.notFound, "the report \(id.quoted) does not exist", field: "report", .list(.reports))
        if isFile {
            error.remedies = [.advice("pass the file '\(id).sql'"), .give(.reports)]
        } else if let name = ids.nearestSpelling(to: id) {
            error.remedies = [.advice("did you mean '\(name)'?")]
        }
        throw error
    }

    /// Returns the content of a report file, even if it is not a valid report.
    ///
    /// - Parameter id: The ID of a report, or the path of a file. A text that ends in `.sql` is a path.
    /// - Returns: The ID of the report, its content, and the name of the file in errors.
    /// - Throws: The errors of ``find(_:)``, except errors in the content of the file.
    public func bytes(of id: String) throws -> (id: String, bytes: [UInt8], file: String) {
        if id.hasSuffix(".sql") {
            let name = try Self.id(ofFile: id)
            return (name, try ReportFile.read(id), id)
        }
        let source = try source(of: id)
        return (id, try source.bytes(), source.file(of: id))
    }

    /// Whether a report with this ID is embedded in the program.
    ///
    /// - Parameter id: The ID of a report.
    /// - Returns: `true` for a shipped report, even if a file with the same ID takes precedence.
    public static func isShipped(_ id: String) -> Bool { ShippedReports.files[id] != nil }

    private static func id(ofFile path: String) throws -> String {
        let id = String(path.pathParts.name.dropLast(4))
        try Report.checkID(id)
        return id
    }

    private static func entry(_ id: String, _ source: Source) -> Entry {
        let file = source.file(of: id)
        let isShipped = source.isShipped
        do {
            var report = try Report(id: id, bytes: source.bytes(), file: file)
            report.isShipped = isShipped
            return Entry(id: id, file: file, isShipped: isShipped, report: .success(report))
        } catch {
            let failure =
                error as? HabitError ?? HabitError(.internal, ErrorLog.text(of: error), file: file, cause: error)
            return Entry(id: id, file: file, isShipped: isShipped, report: .failure(failure))
        }
    }

    /// Returns the names in a folder that end in `.sql`, without hidden files, folders and special files.
    private static func reportFiles(in folder: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw HabitError(
                .inputNotFound, "the folder does not exist: pass the folder of your reports",
                field: "reports", file: folder)
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw HabitError(
                .inputUnreadable, "you have no permission to list the folder: change its permissions",
                field: "reports", file: folder)
        }
        return names.filter { name in
            guard name.hasSuffix(".sql"), name.utf8.count > 4, !name.hasPrefix(".") else { return false }
            var status = stat()
            // A broken symbolic link is included, so that its user gets an error.
            return stat("\(folder)/\(name)", &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        }
    }
}

/// A reader for report files.
public enum ReportFile {
    /// Reads a report file.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The bytes of the file. A longer file than allowed is truncated to the maximum size of a report plus
    ///   one byte.
    /// - Throws: `input-not-found` or `input-unreadable`.
    public static func read(_ path: String) throws -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw HabitError(
                .inputNotFound, "the file does not exist or is a broken symbolic link: check the path",
                file: path)
        }
        // Reading from a pipe or a device could block.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HabitError(
                .inputUnreadable, "the input is not a regular file: pass the .sql file of a report", file: path)
        }
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: ReportHeader.maximumBytes + 1) ?? Data()
        else {
            throw HabitError(
                .inputUnreadable, "you have no permission to read the file: change its permissions",
                file: path)
        }
        return Array(data)
    }
}
