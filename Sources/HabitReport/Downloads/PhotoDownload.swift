import Foundation
import HabitModel
import HabitStore

/// Puts a photo of the store into a file: all of it, or none.
public struct PhotoDownload {
    public var photo: PhotoQuery
    /// A file, a folder, in which the photo is named after its owner's id, or `-` for stdout.
    public var output: String
    /// Whether a file that is there may be replaced.
    public var replaces: Bool

    public init(_ photo: PhotoQuery, to output: String, replaces: Bool = false) {
        self.photo = photo
        self.output = output
        self.replaces = replaces
    }

    /// First the right to view, then the output and its space, then the photo; gives the file's path and size.
    ///
    /// Throws `not-found`, `post-deleted`, `output-not-writable`, `output-exists`, `no-space`, `download-failed`.
    public func run(in session: any Session) throws -> (path: String, byteCount: Int) {
        let key = try photo.find(in: session)
        let (mediaType, size) = try PhotoQuery.describe(key, in: session)
        guard output != "-" else {
            let sink = try OutputDestination(nil).open()
            try write(key, size, to: sink, in: session)
            return ("-", size)
        }
        let path = try path(mediaType)
        let file = try AtomicFile(path, replaces: replaces)
        // A file system keeps some blocks of its own for the new name.
        let needed = UInt64(size) + 4096
        if let available = file.availableBytes, available < needed {
            throw HabitError(
                .noSpace,
                "\(path) needs \(needed) bytes and there are \(available): free some, or choose another folder")
        }
        try write(key, size, to: file, in: session)
        return (path, size)
    }

    private func write(_ key: Int64, _ size: Int, to sink: any OutputSink, in session: any Session) throws {
        let bytes: [UInt8]
        do { bytes = try PhotoQuery.bytes(key, in: session) } catch {
            throw HabitError(
                .downloadFailed, "the photo cannot be read from the store: 'habitat doctor' looks for the reason")
        }
        guard bytes.count == size else {
            throw HabitError(
                .downloadFailed, "the photo in the store is not whole: 'habitat doctor' looks for the reason")
        }
        do {
            try bytes.withUnsafeBytes { try sink.write($0) }
            try sink.commit()
        } catch let error as HabitError where error.code == .writeFailed {
            throw HabitError(.downloadFailed, error.message)
        }
    }

    private func path(_ mediaType: String) throws -> String {
        guard !output.isEmpty else {
            throw HabitError(.outputNotWritable, "the output's name is empty: name a file or a folder with --output")
        }
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        guard (isThere && isFolder.boolValue) || output.hasSuffix("/") else { return output }
        return (output.hasSuffix("/") ? output : output + "/") + PhotoFileName.name(of: photo.id, mediaType: mediaType)
    }
}

/// File names for photos: an id may hold anything, a file name of ours only what every system takes.
public enum PhotoFileName {
    /// The id with other bytes than letters, digits, `-` and `_` written `%XX`, at most 100 of them, and the type's ending.
    public static func name(of id: String, mediaType: String) -> String {
        let stem = id.utf8.map { byte -> String in
            let character = Character(Unicode.Scalar(byte))
            let isPlain =
                byte < 0x80 && (character.isLetter || character.isNumber || character == "-" || character == "_")
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.prefix(70).joined()
        return stem + "." + Photo.fileExtension(of: mediaType)
    }
}
