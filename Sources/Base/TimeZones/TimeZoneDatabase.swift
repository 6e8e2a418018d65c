import Foundation
import Synchronization

/// A database of the time zones in tzdata folders.
///
/// Zones without a file have the rules compiled into the program.
///
/// Parsed files are cached for an hour and then read again, so that a server uses an update of tzdata.
public final class TimeZoneDatabase: Sendable {
    /// The database of the machine: `$TZDIR`, then `/usr/share/zoneinfo`.
    public static let system = TimeZoneDatabase(folders: systemFolders)

    private static var systemFolders: [String] {
        var folders = ["/usr/share/zoneinfo"]
        if let folder = ProcessInfo.processInfo.environment["TZDIR"], !folder.isEmpty {
            folders.insert(folder, at: 0)
        }
        return folders
    }

    private let folders: [String]
    private let lifetime: Duration
    private let cache = Mutex<[String: Cached]>([:])
    /// Maximum number of cached zones, which is more than tzdata has.
    ///
    /// The cache is emptied if it reaches this size.
    private static let capacity = 2000

    /// A parsed zone with the time at which its file was read.
    private struct Cached {
        var rules: TimeZoneRules
        var readAt: ContinuousClock.Instant
    }

    /// Creates a database.
    ///
    /// - Parameters:
    ///   - folders: The folders to search for a zone's file, in this order.
    ///   - lifetime: The time for which a parsed file is cached.
    public init(folders: [String], lifetime: Duration = .seconds(3600)) {
        self.folders = folders
        self.lifetime = lifetime
    }

    /// Returns the rules of the zone with this identifier, or `nil` if it does not name a time zone.
    ///
    /// The first lookup of a zone reads a file. Later lookups take a lock and read a dictionary.
    public func rules(for id: String) -> TimeZoneRules? {
        guard id != TimeZoneRules.utc.id else {
            return .utc
        }
        let now = ContinuousClock.now
        let cached = cache.withLock { $0[id] }
        if let cached, cached.readAt.duration(to: now) < lifetime {
            return cached.rules
        }
        guard Self.isIdentifier(id), let rules = read(id) else {
            return nil
        }
        cache.withLock { zones in
            if zones.count >= Self.capacity {
                zones.removeAll()
            }
            zones[id] = Cached(rules: rules, readAt: now)
        }
        return rules
    }

    /// Reads the rules of a zone from the first folder with a valid file, or from the compiled rules.
    private func read(_ id: String) -> TimeZoneRules? {
        for folder in folders {
            let path = "\(folder)/\(id)"
            guard let bytes = Self.contents(ofFile: path, maximumSize: TZifFile.maximumSize),
                let file = TZifFile(bytes)
            else { continue }
            return TimeZoneRules(id: id, table: file.table)
        }
        // Foundation also accepts forms such as UTC-3 and PST. These are not names of zones, and other programs
        // interpret them differently.
        guard TimeZone.knownTimeZoneIdentifiers.contains(id) else {
            return nil
        }
        guard let zone = TimeZone(identifier: id) else {
            return nil
        }
        return TimeZoneRules(id: id, builtIn: zone)
    }

    /// Whether a text has the form of an identifier, so that its path is inside the folder.
    ///
    /// `localtime` and `posixrules` are not identifiers, because they are links that depend on the machine.
    static func isIdentifier(_ text: String) -> Bool {
        guard text.utf8.count <= 255 else {
            return false
        }
        guard !["localtime", "posixrules"].contains(text) else {
            return false
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy(isIdentifierByte)
        }
    }

    /// Whether a byte can appear in a component of an identifier.
    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9": true
        case "_", "+", "-": true
        default: false
        }
    }

    // MARK: Files

    /// Returns the bytes of a regular file, or `nil` if it cannot be read or is larger than `maximumSize` bytes.
    private static func contents(ofFile path: String, maximumSize: Int) -> [UInt8]? {
        // Without O_NONBLOCK, opening a named pipe would block until another process opens it for writing.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            return nil
        }
        let isRegularFile = status.st_mode & S_IFMT == S_IFREG
        guard isRegularFile, status.st_size <= maximumSize else {
            return nil
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        guard let data = try? handle.read(upToCount: maximumSize) else {
            return nil
        }
        return Array(data)
    }

    /// The sources of the rules as display texts: each existing folder with its tzdata version, and the compiled rules.
    public var sources: [String] {
        var sources: [String] = []
        for folder in folders where Self.isFolder(folder) {
            let version = Self.version(in: folder) ?? "version unknown"
            sources.append("\(folder) (\(version))")
        }
        sources.append("the rules compiled into the program")
        return sources
    }

    /// The identifiers of the zones and of their other names in the first file `tzdata.zi` of the folders, sorted.
    ///
    /// The list is empty without such a file. The cost is one read of the file, which has about 110 kB.
    public var ids: [String] {
        let files = folders.lazy.compactMap { folder in
            Self.contents(ofFile: folder + "/tzdata.zi", maximumSize: 1 << 20)
        }
        guard let file = files.first else {
            return []
        }
        let ids = file.split(separator: UInt8(ascii: "\n")).compactMap { line in
            Self.id(in: String(decoding: line, as: UTF8.self))
        }
        return ids.sorted()
    }

    /// Returns the identifier that a line of `tzdata.zi` declares (zic(8)), or `nil` for another line.
    private static func id(in line: String) -> String? {
        let fields = line.split(separator: " ")
        switch fields.first {
        case "Z" where fields.count > 1: return String(fields[1])
        case "L" where fields.count > 2: return String(fields[2])
        default: return nil
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && isFolder.boolValue
    }

    /// Returns the version in the first line of `tzdata.zi`, such as `# version 2025b`, or `nil` if it is not found.
    private static func version(in folder: String) -> String? {
        guard let bytes = contents(ofFile: folder + "/tzdata.zi", maximumSize: 1 << 20) else {
            return nil
        }
        let line = bytes.prefix(100).prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3 else {
            return nil
        }
        guard words.starts(with: ["#", "version"]) else {
            return nil
        }
        return "tzdata \(words[2])"
    }
}
