import Base
import Foundation
import HabitModel

extension NightlyManifest {
    /// A problem of a file in the folder of a nightly run.
    public enum Problem: String, Sendable {
        /// The file does not exist, or it differs from its entry in the manifest.
        case missing, changed
        /// The manifest has no entry for the file.
        case unexpected
    }

    /// A file with a problem.
    public struct Finding: Sendable, Equatable {
        /// The name of the file.
        public var name: String
        /// The problem of the file.
        public var problem: Problem
    }

    /// Compares the folder of a nightly run with its manifest.
    ///
    /// - Parameter folder: The folder of the run.
    /// - Returns: The findings sorted by file name, or an empty array if the folder is intact.
    /// - Throws: The errors of ``init(inFolder:)``, and `input-unreadable` if the folder or a file cannot be read.
    public static func verify(_ folder: String) throws -> [Finding] {
        let manifest = try NightlyManifest(inFolder: folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw HabitError(
                .inputUnreadable, "the folder '\(folder)' cannot be read: check its permissions", file: folder)
        }
        let ownNames = manifest.files.map(\.name) + [name]
        let known = Set(ownNames.map { name in Array(name.utf8) })
        var findings: [Finding] = []
        for name in names where !known.contains(Array(name.utf8)) {
            findings.append(Finding(name: name, problem: .unexpected))
        }
        for file in manifest.files {
            guard let problem = try file.problem(in: folder) else { continue }
            findings.append(Finding(name: file.name, problem: problem))
        }
        return findings.sorted { first, second in
            first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
        }
    }
}

extension NightlyManifest.File {
    /// Returns the problem of the file, or `nil`.
    ///
    /// A link, a folder or a pipe of this name counts as changed.
    fileprivate func problem(in folder: String) throws -> NightlyManifest.Problem? {
        let path = folder + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes else { return .changed }
        return try NightlyFileReader(path).digest(most: bytes) == sha256 ? nil : .changed
    }

    /// Reads the file and compares it with its manifest entry.
    ///
    /// - Throws: `field-invalid` if the file differs from its entry, `input-not-found`, `input-unreadable`.
    func contents(in folder: String) throws -> [UInt8] {
        let path = folder + "/" + name
        let contents = try NightlyFileReader(path).contents(most: bytes)
        guard let contents, contents.count == bytes else { throw Self.changed(path) }
        guard contents.sha256.hexadecimal == sha256 else { throw Self.changed(path) }
        return contents
    }

    /// Compares the digest of the file with its manifest entry.
    ///
    /// - Throws: The errors of ``contents(in:)``.
    func check(in folder: String) throws {
        let path = folder + "/" + name
        guard try NightlyFileReader(path).digest(most: bytes) == sha256 else { throw Self.changed(path) }
    }

    private static func changed(_ path: String) -> HabitError {
        HabitError(
            .fieldInvalid, "the file differs from its entry in \(NightlyManifest.name): repeat the nightly run",
            field: "sha256", file: path)
    }
}
