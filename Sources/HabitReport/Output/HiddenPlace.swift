import Foundation
import HabitModel

/// Where an output takes shape that needs a name from the beginning: beside what it will be, as `.name.XXXXXX.tmp`.
struct HiddenPlace {
    /// As it was typed, for messages.
    let path: String
    /// The path with a symbolic link followed, and without slashes at its end.
    let target: String
    let folder: String
    let temporary: String
    /// The beginning of the names of all temporary outputs of the target.
    let temporaryPrefix: String

    /// The end of the name of a temporary output, and the random letters before it.
    static let ending = ".tmp"
    static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    static let letterCount = 6

    /// Throws `output-not-writable` where the path names nothing that can be made.
    init(_ path: String, followsLinks: Bool = true) throws {
        guard !path.isEmpty else { throw HabitError(.outputNotWritable, "the name of the output is empty: give one") }
        self.path = path
        target = try followsLinks ? Self.resolved(path) : path
        let name: String
        (folder, name) = target.pathParts
        temporaryPrefix = "." + String(name.unicodeScalars.prefix(40)) + "."
        let letters = (0..<Self.letterCount).compactMap { _ in Self.letters.randomElement() }
        temporary = folder + "/" + temporaryPrefix + String(decoding: letters, as: UTF8.self) + Self.ending
    }

    private static func resolved(_ path: String) throws -> String {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        let name = trimmed.pathParts.name
        var status = stat()
        let isLink = lstat(String(trimmed), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        guard isLink || name == "." || name == ".." else { return String(trimmed) }
        guard let resolved = realpath(String(trimmed), nil) else {
            throw HabitError(.outputNotWritable, "\(path) leads to nothing that is there: name a place that is")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// What stands at the path, if anything.
    var status: stat? {
        var status = stat()
        return lstat(target, &status) == 0 ? status : nil
    }

    /// Whether something stands there that is not a folder.
    var isTaken: Bool { status.map { $0.st_mode & S_IFMT != S_IFDIR } ?? false }

    /// Whether it is the file at `other`, be that there or not.
    func isSame(as other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(target, &first) == 0, stat(other, &second) == 0 else {
            return URL(fileURLWithPath: target).standardizedFileURL == URL(fileURLWithPath: other).standardizedFileURL
        }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// What the system said when something was to be made in the folder.
    func creationError(_ number: Int32) -> HabitError {
        HabitError(creating: folder == "." ? "the current folder" : "the folder \(folder)", number)
    }

    /// Makes the names in a folder durable; some file systems cannot tell, and say EINVAL.
    static func synchronize(folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 || errno == EINVAL else {
            throw HabitError(writing: folder, errno)
        }
    }
}
