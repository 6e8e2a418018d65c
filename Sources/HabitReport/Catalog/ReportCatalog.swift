import Foundation
import HabitModel

/// All reports there are: those of one's own folders, then the shipped ones.
///
/// The name of a file without `.sql` is the report's id. Of several with the same id the first folder's is taken.
/// Folders are listed once, files are read when they are asked for.
public struct ReportCatalog: Sendable {
    /// A report, or why its file is none.
    public struct Entry: Sendable {
        public var id: String
        /// As errors name it.
        public var file: String
        public var isShipped: Bool
        public var report: Result<Report, HabitError>
    }

    private enum Source {
        case shipped([UInt8])
        case file(String)
    }

    private var sources: [String: Source]

    /// Throws `input-not-found` for a folder that is not there, `input-unreadable` for one that cannot be listed.
    public init(folders: [String]) throws {
        sources = ShippedReports.files.mapValues { .shipped($0) }
        for folder in folders.reversed() {
            for name in try Self.reportFiles(in: folder) {
                let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                sources[String(name.dropLast(4))] = .file(path)
            }
        }
    }

    /// By id.
    public func all() -> [Entry] {
        sources.keys.sorted().compactMap { id in sources[id].map { Self.entry(id, $0) } }
    }

    /// The report with this id, or in this file: a name that ends in `.sql` is a file's.
    ///
    /// Throws `not-found` where there is none, and `report-invalid` or `input-unreadable` where its file is none.
    public func find(_ id: String) throws -> Report {
        if id.hasSuffix(".sql") { return try Self.entry(try Self.id(ofFile: id), .file(id)).report.get() }
        return try Self.entry(id, try source(of: id)).report.get()
    }

    private func source(of id: String) throws -> Source {
        if let source = sources[id] { return source }
        let isFile = FileManager.default.fileExists(atPath: id + ".sql")
        var error = HabitError(.notFound, "there is no report \(id.quoted)", field: "report", .list(.reports))
        if isFile {
            error.remedies = [.advice("name the file, '\(id).sql'"), .give(.reports)]
        } else if let name = sources.keys.sorted().nearestSpelling(to: id) {
            error.remedies = [.advice("did you mean '\(name)'?")]
        }
        throw error
    }

    /// The file of the report with this id, or of this name, as it is, whether it can be read as a report or not.
    ///
    /// Throws as ``find(_:)``.
    public func bytes(of id: String) throws -> (id: String, bytes: [UInt8], file: String) {
        if id.hasSuffix(".sql") { return (try Self.id(ofFile: id), try ReportFile.read(id), id) }
        switch try source(of: id) {
        case .shipped(let bytes): return (id, bytes, "\(id).sql")
        case .file(let path): return (id, try ReportFile.read(path), path)
        }
    }

    /// Whether a report of this name came with the program.
    public static func isShipped(_ id: String) -> Bool { ShippedReports.files[id] != nil }

    private static func id(ofFile path: String) throws -> String {
        let id = String(path.pathParts.name.dropLast(4))
        try Report.checkID(id)
        return id
    }

    private static func entry(_ id: String, _ source: Source) -> Entry {
        let file: String
        let isShipped: Bool
        switch source {
        case .shipped: (file, isShipped) = ("\(id).sql", true)
        case .file(let path): (file, isShipped) = (path, false)
        }
        do {
            let bytes = if case .shipped(let bytes) = source { bytes } else { try ReportFile.read(file) }
            var report = try Report(id: id, bytes: bytes, file: file)
            report.isShipped = isShipped
            return Entry(id: id, file: file, isShipped: isShipped, report: .success(report))
        } catch {
            let failure =
                error as? HabitError ?? HabitError(.internal, ErrorLog.text(of: error), file: file, cause: error)
            return Entry(id: id, file: file, isShipped: isShipped, report: .failure(failure))
        }
    }

    /// The names that end in `.sql`; what is no file, or is hidden, is none of ours.
    private static func reportFiles(in folder: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw HabitError(
                .inputNotFound, "there is no folder \(folder.quoted): name the one that holds your reports",
                field: "reports", file: folder)
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw HabitError(
                .inputUnreadable, "the folder \(folder.quoted) cannot be listed: its permissions forbid it",
                field: "reports", file: folder)
        }
        return names.filter { name in
            guard name.hasSuffix(".sql"), name.utf8.count > 4, !name.hasPrefix(".") else { return false }
            var status = stat()
            // A link that leads nowhere is somebody's report, and they must hear of it.
            return stat("\(folder)/\(name)", &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        }
    }
}

/// Reads report files.
public enum ReportFile {
    /// The bytes of the file, and one more than a report may have where it is longer.
    ///
    /// Throws `input-not-found` or `input-unreadable`.
    public static func read(_ path: String) throws -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw HabitError(.inputNotFound, "there is no file \(path.quoted), or the link leads nowhere", file: path)
        }
        // Whatever else has a name would keep the reader waiting.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HabitError(.inputUnreadable, "\(path.quoted) is no file: name a report's .sql file", file: path)
        }
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: ReportHeader.maximumBytes + 1) ?? Data()
        else {
            throw HabitError(
                .inputUnreadable, "the file \(path.quoted) cannot be read: its permissions forbid it", file: path)
        }
        return Array(data)
    }
}
