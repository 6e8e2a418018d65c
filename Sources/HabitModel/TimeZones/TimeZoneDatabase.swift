import Foundation
import Synchronization

/// The time zones of tzdata's files in some folders. Zones without a file have the rules compiled into the program.
///
/// Parsed files are cached, and read again after an hour, so that a server follows an update of tzdata.
public final class TimeZoneDatabase: Sendable {
    /// The machine's: `$TZDIR`, then `/usr/share/zoneinfo`.
    public static let system = TimeZoneDatabase(
        folders: [ProcessInfo.processInfo.environment["TZDIR"] ?? "", "/usr/share/zoneinfo"].filter { !$0.isEmpty })

    private let folders: [String]
    private let lifetime: Duration
    private let cache = Mutex<[String: Cached]>([:])
    /// More names than tzdata has; the cache is emptied if it reaches this size.
    private static let capacity = 2000

    private struct Cached {
        var rules: TimeZoneRules
        var readAt: ContinuousClock.Instant
    }

    /// - Parameters:
    ///   - folders: where to look for a zone's file, in this order.
    ///   - lifetime: how long a file is cached.
    public init(folders: [String], lifetime: Duration = .seconds(3600)) {
        self.folders = folders
        self.lifetime = lifetime
    }

    /// The rules of the zone with this identifier. Returns `nil` if it does not name a time zone.
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

    private func read(_ id: String) -> TimeZoneRules? {
        for folder in folders {
            guard let bytes = Self.contents(ofFile: "\(folder)/\(id)", maximumSize: TZifFile.maximumSize),
                let file = TZifFile(bytes)
            else { continue }
            return TimeZoneRules(id: id, table: file.table)
        }
        // Foundation also reads forms such as UTC-3 and PST, which are not names of zones and which others read differently.
        guard TimeZone.knownTimeZoneIdentifiers.contains(id) else { return nil }
        return TimeZone(identifier: id).map { TimeZoneRules(id: id, builtIn: $0) }
    }

    /// Whether a text has the form of an identifier, so that its path stays in the folder. `localtime` and `posixrules` are
    /// links that each machine sets.
    static func isIdentifier(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= 255 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isIdentifierByte) }
            && !["localtime", "posixrules"].contains(text)
    }

    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    // MARK: Files

    /// The bytes of a regular file. Returns `nil` if it cannot be read, or is larger than `maximumSize`.
    private static func contents(ofFile path: String, maximumSize: Int) -> [UInt8]? {
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
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

    /// The sources of the rules, for people: each folder that exists with the version of its tzdata, and the program's own.
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

    /// The version that the first line of `tzdata.zi` names: `# version 2025b`.
    private static func version(in folder: String) -> String? {
        guard let bytes = contents(ofFile: folder + "/tzdata.zi", maximumSize: 1 << 20) else { return nil }
        let line = bytes.prefix(100).prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == "#", words[1] == "version" else { return nil }
        return "tzdata \(words[2])"
    }
}
