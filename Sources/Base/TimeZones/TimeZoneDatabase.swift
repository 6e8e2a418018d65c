import Foundation
import Synchronization

/// A database of the time zones in tzdata folders.
///
/// Zones without a file have the rules compiled into the program.
///
/// Parsed files are cached for an hour and then read again, so that a server uses an update of tzdata.
public final class TimeZoneDatabase: Sendable {
    /// The database of the machine: `$TZDIR`, then `/usr/share/zoneinfo`.
    public static let system = TimeZoneDatabase(
        folders: [ProcessInfo.processInfo.environment["TZDIR"] ?? "", "/usr/share/zoneinfo"].filter { !$0.isEmpty })

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
        guard id != TimeZoneRules.utc.id else { return .utc }
        let now = ContinuousClock.now
        if let cached = cache.withLock({ $0[id] }), cached.readAt.duration(to: now) < lifetime { return cached.rules }
        guard Self.isIdentifier(id), let rules = read(id) else { return nil }
        cache.withLock {
            if $0.count >= Self.capacity { $0.removeAll() }
            $0[id] = Cached(rules: rules, readAt: now)
        }
        return rules
    }

    /// Reads the rules of a zone from the first folder with a valid file, or from the compiled rules.
    private func read(_ id: String) -> TimeZoneRules? {
        for folder in folders {
            guard let bytes = Self.contents(ofFile: "\(folder)/\(id)", maximumSize: TZifFile.maximumSize),
                let file = TZifFile(bytes)
            else { continue }
            return TimeZoneRules(id: id, table: file.table)
        }
        // Foundation also accepts forms such as UTC-3 and PST. These are not names of zones, and other programs
        // interpret them differently.
        guard TimeZone.knownTimeZoneIdentifiers.contains(id) else { return nil }
        return TimeZone(identifier: id).map { TimeZoneRules(id: id, builtIn: $0) }
    }

    /// Whether a text has the form of an identifier, so that its path is inside the folder.
    ///
    /// `localtime` and `posixrules` are not identifiers, because they are links that depend on the machine.
    static func isIdentifier(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= 255 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isIdentifierByte) }
            && !["localtime", "posixrules"].contains(text)
    }

    /// Whether a byte can appear in a component of an identifier.
    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    // MARK: Files

    /// Returns the bytes of a regular file, or `nil` if it cannot be read or is larger than `maximumSize` bytes.
    private static func contents(ofFile path: String, maximumSize: Int) -> [UInt8]? {
        // Without O_NONBLOCK, opening a named pipe would block until another process opens it for writing.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumSize
        else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        guard let data = try? handle.read(upToCount: maximumSize) else { return nil }
        return Array(data)
    }

    /// The sources of the rules as display texts: each existing folder with its tzdata version, and the compiled rules.
    public var sources: [String] {
        let found = folders.compactMap { folder -> String? in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                return nil
            }
            return "\(folder) (\(Self.version(in: folder) ?? "version unknown"))"
        }
        return found + ["the rules compiled into the program"]
    }

    /// Returns the version in the first line of `tzdata.zi`, such as `# version 2025b`, or `nil` if it is not found.
    private static func version(in folder: String) -> String? {
        guard let bytes = contents(ofFile: folder + "/tzdata.zi", maximumSize: 1 << 20) else { return nil }
        let line = bytes.prefix(100).prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == "#", words[1] == "version" else { return nil }
        return "tzdata \(words[2])"
    }
}
