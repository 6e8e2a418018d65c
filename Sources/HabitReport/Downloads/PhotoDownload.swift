import Base
import Foundation
import HabitModel
import HabitStore
import Photos
import Rendering
import StoreEngine

/// A download of a stored photo to a file.
///
/// The download writes the complete file or no file.
public struct PhotoDownload {
    /// The photo to download.
    public var photo: PhotoQuery
    /// The path of a file or folder, `-` for standard output, or `nil` for the current folder.
    ///
    /// A file in a folder is named after the photo's record, as the download over HTTP.
    public var output: String?
    /// Whether an existing file may be replaced.
    public var replaces: Bool
    /// The permissions of the file.
    public var sharing: OutputSharing

    /// Creates a download.
    ///
    /// - Parameters:
    ///   - photo: The photo to download.
    ///   - output: The path of a file or folder, `-` for standard output, or `nil` for the current folder.
    ///   - replaces: Whether an existing file may be replaced.
    ///   - sharing: The permissions of the file.
    public init(_ photo: PhotoQuery, to output: String?, replaces: Bool = false, sharing: OutputSharing = .owner) {
        self.sharing = sharing
        self.photo = photo
        self.output = output
        self.replaces = replaces
    }

    /// Writes the photo, after checking the viewer's permission and then the output and its free space.
    ///
    /// - Parameter session: A session on the store.
    /// - Returns: The path of the file (`-` for standard output) and its size in bytes.
    /// - Throws: `not-found`, `post-deleted`, `output-not-writable`, `output-exists`, `no-space`, `download-failed`.
    public func run(in session: any Session) throws -> (path: String, byteCount: Int) {
        let key = try photo.find(in: session)
        let description = try PhotoQuery.describe(key, in: session)
        guard output != "-" else {
            let standardOutput = try OutputDestination(nil).open()
            let byteCount = try write(key, description.sha256, to: standardOutput, in: session)
            return ("-", byteCount)
        }
        let path = try path(description.mediaType)
        let file = try sink(path, for: description.byteCount)
        let byteCount = try write(key, description.sha256, to: file, in: session)
        return (path, byteCount)
    }

    /// The space that a new file needs in addition to its content, in bytes.
    private static let blockSize: UInt64 = 4096

    /// Opens the output.
    ///
    /// A regular file appears when it is complete. A device or pipe is written directly.
    private func sink(_ path: String, for size: Int) throws -> any OutputSink {
        var status = stat()
        if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            return try OutputDestination(path).open()
        }
        let file = try AtomicFile(path, replaces: replaces, sharing: sharing)
        // The file system needs some additional blocks for the new name.
        let needed = UInt64(size) + Self.blockSize
        if let available = file.availableBytes, available < needed {
            throw HabitError(
                .noSpace,
                "the photo has \(size) bytes, but its folder has only \(available) bytes available, and a new file needs \(Self.blockSize) more: free some space or choose another folder"
            )
        }
        return file
    }

    /// Writes the photo if its digest is the stored digest, and returns its size in bytes.
    ///
    /// A photo that is damaged in the store is not written.
    private func write(
        _ key: Int64, _ sha256: [UInt8], to sink: any OutputSink, in session: any Session
    ) throws -> Int {
        let bytes = try photo.photo(key, sha256: sha256, in: session).bytes
        do {
            try sink.write(bytes.span.bytes)
            try sink.commit()
        } catch let error as HabitError where error.code == .writeFailed {
            var failure = error
            failure.code = .downloadFailed
            throw failure
        }
        return bytes.count
    }

    private func path(_ mediaType: String) throws -> String {
        let name = PhotoFileName.name(of: photo.id, mediaType: mediaType)
        guard let output else { return name }
        guard !output.isEmpty else {
            throw HabitError(.outputNotWritable, "the output path is empty", .give(.output))
        }
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        if output.hasSuffix("/") { return output + name }
        return isThere && isFolder.boolValue ? output + "/" + name : output
    }
}

/// File names for photos, which contain only characters that all operating systems accept.
public enum PhotoFileName {
    /// Returns a file name for the photo of a record.
    ///
    /// Bytes other than letters, digits, `-` and `_` are written as `%XX`. A result of more than 150 bytes is replaced
    /// by its first 120 bytes and the first 8 bytes of the ID's SHA-256 digest in hexadecimal digits.
    ///
    /// - Parameters:
    ///   - id: The ID of the record, which may contain any character.
    ///   - mediaType: The media type of the photo, which determines the file extension.
    /// - Returns: The file name with its extension.
    public static func name(of id: String, mediaType: String) -> String {
        var stem = id.utf8.map(encode).joined()
        if stem.utf8.count > 150 {
            let digest = id.utf8.sha256.prefix(8).hexadecimal.uppercased()
            stem = stem.prefix(120) + "-" + digest
        }
        return stem + "." + Photo.fileExtension(of: mediaType)
    }

    private static func encode(_ byte: UInt8) -> String {
        isPlain(byte) ? String(Unicode.Scalar(byte)) : "%" + [byte].hexadecimal.uppercased()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
