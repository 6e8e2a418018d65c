import Foundation
import HabitModel
import Photos

/// Where the photos of an input lie: in its folder, or in the record itself as base64.
struct PhotoSource {
    /// The folder of the input file; nil for the standard input, which has none.
    let folder: String?

    /// Reads a photo given as a path below the folder or as base64 (also a `data:` URL); its metadata is taken out, unless
    /// `keepingEXIF`. It is decoded when it is stored, and then only once for equal ones.
    func photo(_ text: String, keepingEXIF: Bool) throws(HabitError) -> Photo {
        let bytes: [UInt8]
        if let embedded = embedded(text) { bytes = embedded } else { bytes = try read(path: text) }
        return try HabitError.ofPhoto { () throws(PhotoError) in
            guard bytes.count < Photo.sizeLimit else { throw .tooLarge(size: bytes.count, canShrink: false) }
            return try PhotoFile(bytes).photo(keepingEXIF: keepingEXIF, verifying: false)
        }
    }

    /// The bytes of base64 data; `nil` for a path. If there is a folder, base64 that holds no picture counts as a path.
    private func embedded(_ text: String) -> [UInt8]? {
        var base64 = text[...]
        if text.hasPrefix("data:"), let comma = text.firstIndex(of: ",") { base64 = text[text.index(after: comma)...] }
        guard base64.utf8.count >= 16, let data = Data(base64Encoded: String(base64)) else { return nil }
        return folder == nil || text.hasPrefix("data:") || Photo.mediaType(of: data) != nil ? Array(data) : nil
    }

    /// Walks down from the folder one name at a time, so that neither `..` nor a symbolic link leads out of it.
    private func read(path: String) throws(HabitError) -> [UInt8] {
        guard let folder else {
            throw invalid("the photo is not base64, and this input has no folder of files: give it as base64")
        }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !path.utf8.contains(0) else {
            throw invalid("'\(path.excerpt)' is not a path below the input's folder")
        }
        var descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        for (index, name) in names.enumerated() where descriptor >= 0 {
            let isLast = index == names.count - 1
            let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
            let next = openat(descriptor, String(name), flags)
            close(descriptor)
            descriptor = next
        }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw invalid("there is no file '\(path.excerpt)' in the input's folder")
        }
        guard status.st_size < Photo.sizeLimit else {
            throw HabitError(PhotoError.tooLarge(size: Int(status.st_size), canShrink: false))
        }
        return try contents(of: descriptor, path)
    }

    /// No more than one byte beyond what is allowed, should the file have grown meanwhile.
    private func contents(of descriptor: Int32, _ path: String) throws(HabitError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Photo.sizeLimit) { buffer, count in
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
        guard !failed else { throw invalid("the file '\(path.excerpt)' cannot be read") }
        return bytes
    }

    private func invalid(_ message: String) -> HabitError {
        HabitError(.photoInvalid, message, field: Field.photo.name)
    }
}
