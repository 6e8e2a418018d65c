import Base
import Foundation
import HabitModel
import Photos

/// The source of the photos of an input: files in the input's folder, or base64 text in the records.
struct PhotoSource {
    /// The folder of the input file, or `nil` if the input has no folder, such as standard input.
    let folder: String?

    /// Reads a photo from a file below the folder or from base64 text.
    ///
    /// This function does not decode the image. The image is decoded when it is stored, and only once if several
    /// records have equal photos.
    ///
    /// - Parameters:
    ///   - text: A path relative to the folder, base64 text, or a `data:` URL.
    ///   - keepingEXIF: Whether the metadata remains in the photo. Otherwise it is removed.
    ///   - limit: The maximum size of the file in bytes.
    /// - Returns: The photo, whose image is not yet decoded.
    /// - Throws: `photo-invalid` or `photo-too-large`.
    func photo(_ text: String, keepingEXIF: Bool, limit: Int) throws(HabitError) -> Photo {
        let bytes = try bytes(text, limit: limit)
        return try HabitError.ofPhoto { () throws(PhotoError) in
            guard bytes.count <= limit else {
                throw .tooLarge(size: bytes.count, limit: limit, canShrink: false)
            }
            return try PhotoFile(bytes).photo(keepingEXIF: keepingEXIF, limit: limit, verifying: false)
        }
    }

    /// Reads a photo from a file below the folder or from base64 text, without examining it.
    ///
    /// - Parameters:
    ///   - text: A path relative to the folder, base64 text, or a `data:` URL.
    ///   - limit: The maximum size of the file in bytes.
    /// - Returns: The bytes of the file.
    /// - Throws: `photo-invalid` or `photo-too-large`.
    func bytes(_ text: String, limit: Int) throws(HabitError) -> [UInt8] {
        if let embedded = embedded(text) { return embedded }
        return try read(path: text, limit: limit)
    }

    /// Returns the bytes of base64 text, or `nil` if `text` is a path.
    ///
    /// If the input has a folder, base64 text whose bytes are not an image counts as a path, except in a `data:` URL.
    private func embedded(_ text: String) -> [UInt8]? {
        var base64 = text[...]
        let isURL = text.hasPrefix("data:")
        if isURL, let comma = text.firstIndex(of: ",") {
            base64 = text[text.index(after: comma)...]
        }
        guard base64.utf8.count >= 16, let data = Data(base64Encoded: String(base64)) else { return nil }
        let isPhoto = folder == nil || isURL || Photo.mediaType(of: data) != nil
        return isPhoto ? Array(data) : nil
    }

    /// Reads a file below the folder.
    ///
    /// Opens one path component at a time, so that neither `..` nor a symbolic link leads out of the folder.
    private func read(path: String, limit: Int) throws(HabitError) -> [UInt8] {
        guard let folder else {
            throw invalid(
                "the photo is not base64, and the input has no folder of photo files: write the photo as base64")
        }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        let isInside = names.allSatisfy { name in !["", ".", ".."].contains(name) }
        guard isInside, !path.utf8.contains(0) else {
            throw invalid("the path '\(path.excerpt)' is outside the input's folder: move the photo into the folder")
        }
        var descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        for (index, name) in names.enumerated() where descriptor >= 0 {
            let isLast = index == names.count - 1
            let kind = isLast ? O_NONBLOCK : O_DIRECTORY
            let next = openat(descriptor, String(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
            close(descriptor)
            descriptor = next
        }
        var status = stat()
        let isFound = descriptor >= 0 && fstat(descriptor, &status) == 0
        guard isFound, status.st_mode & S_IFMT == S_IFREG else {
            throw invalid("the file '\(path.excerpt)' does not exist in the input's folder: add it or correct the path")
        }
        let size = Int(status.st_size)
        guard size <= limit else {
            throw HabitError(PhotoError.tooLarge(size: size, limit: limit, canShrink: false))
        }
        return try contents(of: descriptor, path, limit: limit)
    }

    /// Reads the file up to one byte beyond the maximum size, in case the file has grown since `fstat`.
    private func contents(of descriptor: Int32, _ path: String, limit: Int) throws(HabitError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, count in
            while count < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let length = Glibc.read(descriptor, rest.baseAddress, rest.count)
                guard length > 0 else {
                    failed = length < 0
                    return
                }
                count += length
            }
        }
        guard !failed else { throw invalid("the file '\(path.excerpt)' cannot be read: check its permissions") }
        return bytes
    }

    private func invalid(_ message: String) -> HabitError {
        HabitError(.photoInvalid, message, field: Field.photo.name)
    }
}
