import Foundation
import HabitModel
import HabitStore
import Photos
import Rendering
import StoreEngine

/// Puts a photo of the store into a file: all of it, or none.
public struct PhotoDownload {
    public var photo: PhotoQuery
    /// A file, a folder, in which the photo is named after its owner's id, or `-` for stdout.
    public var output: String
    /// Whether a file that is there may be replaced.
    public var replaces: Bool
    /// Which users can read the file.
    public var sharing: OutputSharing

    public init(_ photo: PhotoQuery, to output: String, replaces: Bool = false, sharing: OutputSharing = .owner) {
        self.sharing = sharing
        self.photo = photo
        self.output = output
        self.replaces = replaces
    }

    /// First the right to view, then the output and its space, then the photo; gives the file's path and size.
    ///
    /// Throws `not-found`, `post-deleted`, `output-not-writable`, `output-exists`, `no-space`, `download-failed`.
    public func run(in session: any Session) throws -> (path: String, byteCount: Int) {
        let key = try photo.find(in: session)
        let (mediaType, size, sha256) = try PhotoQuery.describe(key, in: session)
        guard output != "-" else {
            try write(key, sha256, to: try OutputDestination(nil).open(), in: session)
            return ("-", size)
        }
        let path = try path(mediaType)
        try write(key, sha256, to: try sink(path, for: size), in: session)
        return (path, size)
    }

    /// A file that is not to be seen before it is whole; a device or a pipe is written as it comes.
    private func sink(_ path: String, for size: Int) throws -> any OutputSink {
        var status = stat()
        if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            return try OutputDestination(path).open()
        }
        let file = try AtomicFile(path, replaces: replaces, sharing: sharing)
        // A file system keeps some blocks of its own for the new name.
        let needed = UInt64(size) + 4096
        if let available = file.availableBytes, available < needed {
            throw HabitError(
                .noSpace,
                "\(path) needs \(needed) bytes and there are \(available): free some, or choose another folder")
        }
        return file
    }

    /// What is read must be what was stored: a photo that the store has damaged is not handed out.
    private func write(_ key: Int64, _ sha256: [UInt8], to sink: any OutputSink, in session: any Session) throws {
        guard let bytes = try? PhotoQuery.bytes(key, in: session), bytes.sha256 == sha256 else {
            throw HabitError(
                .downloadFailed, "the photo is damaged in the store", .take(.checkStore), .advice("restore a backup"))
        }
        do {
            try sink.write(bytes.span.bytes)
            try sink.commit()
        } catch let error as HabitError where error.code == .writeFailed {
            var failure = error
            failure.code = .downloadFailed
            throw failure
        }
    }

    private func path(_ mediaType: String) throws -> String {
        guard !output.isEmpty else {
            throw HabitError(.outputNotWritable, "the output's name is empty", .give(.output))
        }
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        guard (isThere && isFolder.boolValue) || output.hasSuffix("/") else { return output }
        return (output.hasSuffix("/") ? output : output + "/") + PhotoFileName.name(of: photo.id, mediaType: mediaType)
    }
}

/// File names for photos: an id may hold anything, a file name of ours only what every system takes.
public enum PhotoFileName {
    /// The id with other bytes than letters, digits, `-` and `_` written `%XX`, and the type's ending; of an id for which
    /// that would be long the beginning, with what tells it from others that begin so.
    public static func name(of id: String, mediaType: String) -> String {
        var stem = id.utf8.map { isPlain($0) ? String(Unicode.Scalar($0)) : "%" + hexadecimal($0) }.joined()
        if stem.utf8.count > 150 { stem = stem.prefix(120) + "-" + id.utf8.sha256.prefix(8).map(hexadecimal).joined() }
        return stem + "." + Photo.fileExtension(of: mediaType)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
