import Foundation
import HabitModel

extension NightManifest {
    /// What is wrong with a file of a night.
    public enum Problem: String, Sendable {
        case missing, changed
        /// The manifest does not name it.
        case unexpected
    }

    public struct Finding: Sendable, Equatable {
        public var name: String
        public var problem: Problem
    }

    /// Compares the night in `folder` with its manifest; gives what is wrong by name, nothing where all is well.
    ///
    /// - Throws: as ``init(inFolder:)``, and `input-unreadable` where the folder cannot be read.
    public static func verify(_ folder: String) throws -> [Finding] {
        let manifest = try NightManifest(inFolder: folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw HabitError(
                .inputUnreadable, "the folder \(folder) cannot be read: check its permissions", file: folder)
        }
        let known = Set(manifest.files.map { Array($0.name.utf8) } + [Array(name.utf8)])
        let unexpected = names.filter { !known.contains(Array($0.utf8)) }.map {
            Finding(name: $0, problem: .unexpected)
        }
        let findings = try manifest.files.compactMap { file in
            try file.problem(in: folder).map { Finding(name: file.name, problem: $0) }
        }
        return (findings + unexpected).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension NightManifest.File {
    /// A link, a folder or a pipe in its place counts as changed.
    fileprivate func problem(in folder: String) throws -> NightManifest.Problem? {
        let path = folder + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes else { return .changed }
        return try NightFileReader(path).digest(most: bytes) == sha256 ? nil : .changed
    }

    /// Its bytes, which are those that the manifest tells of.
    ///
    /// - Throws: `field-invalid` where they are not; `input-not-found`, `input-unreadable`.
    func contents(in folder: String) throws -> [UInt8] {
        let path = folder + "/" + name
        guard let contents = try NightFileReader(path).contents(most: bytes), contents.count == bytes,
            contents.sha256.hexadecimal == sha256
        else { throw Self.changed(path) }
        return contents
    }

    /// - Throws: as ``contents(in:)``.
    func check(in folder: String) throws {
        let path = folder + "/" + name
        guard try NightFileReader(path).digest(most: bytes) == sha256 else { throw Self.changed(path) }
    }

    private static func changed(_ path: String) -> HabitError {
        HabitError(
            .fieldInvalid, "\(path) is not what its night's \(NightManifest.name) says it is: run the night again",
            field: "sha256", file: path)
    }
}
