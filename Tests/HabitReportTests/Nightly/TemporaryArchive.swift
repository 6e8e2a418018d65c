import Base
import Foundation
import HabitModel
import HabitStore
import Testing

@testable import HabitReport

/// An archive of nightly runs in a temporary folder, which is removed with the object.
final class TemporaryArchive: Sendable {
    let top: String
    let archive: NightlyArchive

    init() throws {
        top = NSTemporaryDirectory() + "habitat-nights-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
        archive = try NightlyArchive(top + "/nights")
    }

    deinit { try? FileManager.default.removeItem(atPath: top) }

    var path: String { archive.path }

    func file(_ name: String) -> String { path + "/" + name }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Names of all files except the lock.
    var visible: [String] { names.filter { $0 != ".lock" } }

    var latest: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: file("latest")) }

    func read(_ name: String) -> String? { try? String(contentsOfFile: file(name), encoding: .utf8) }

    func write(_ text: String, to name: String) throws {
        let folder = (file(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    func permissions(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(file(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Publishes a run with the CSV file `events` and a summary.
    func publish(_ day: String, _ text: String = "id\n1\n") throws {
        try archive.lock().publish(text, on: day)
    }

    /// All files and folders of the archive with their contents.
    var allContents: [String: String] {
        var all: [String: String] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() where name != ".lock" {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file(name))
            let content = target ?? read(name)
            all[name] = content ?? "/"
        }
        return all
    }
}

extension NightlyArchiveWriter {
    func publish(_ text: String, on day: String) throws {
        try publish(date(day)) { draft in
            try draft.write("events.csv", text)
            try draft.write("summary.txt", text.uppercased(), isReport: false, format: "text")
        }
    }

    func publish(_ day: Day, fill: (NightlyRunDraft) throws -> Void) throws {
        try publish(NightlyManifest(date: day, timeZone: "Europe/Lisbon", habitat: "0.1.0"), fill: fill)
    }
}

extension NightlyRunDraft {
    /// Writes a file.
    ///
    /// Its report is the file name without its ending.
    func write(
        _ name: String, _ text: String, isReport: Bool = true, format: String = "csv", key: [String] = ["id"]
    ) throws {
        let ownReport = name.split(separator: ".").first.map(String.init)
        let file = NightlyManifest.File(
            name, report: isReport ? ownReport : nil, format: format, key: key, parameters: ["date": "2026-11-20"])
        try write(file) { buffer in
            buffer.append(text)
            return max(0, text.split(separator: "\n").count - 1)
        }
    }
}

func date(_ text: String) throws -> Day { try #require(Day(text)) }

/// Returns the `HabitError` that `body` throws, or `nil` if it throws none.
func failure<R>(_ body: () throws -> R) -> HabitError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? HabitError
    }
}

struct Stop: Error {}

/// Runs `body` on a thread that receives signals, unlike the threads of tests.
func onThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
    Thread.detachNewThread {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        result = Result { try body() }
        done.signal()
    }
    done.wait()
    try result.get()
}

/// Runs `body` on a thread with its own umask.
func withUmask(_ mask: mode_t, _ body: @escaping @Sendable () throws -> Void) throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
    try onThread {
        // CLONE_FS separates the umask of the thread from that of the process.
        guard unshare(0x200) == 0 else { throw Stop() }
        umask(mask)
        try body()
    }
}
