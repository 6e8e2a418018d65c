import Base
import HabitModel
import HabitStore
import Photos
import Rendering

/// The photos of an export by their keys.
///
/// Each photo takes about 100 bytes of memory. The rows do not join the photos, because a cluster cannot join rows of users
/// with photos of other servers. After the last ``add(_:to:)``, several threads can read the photos.
final class ExportedPhotos: @unchecked Sendable {
    /// The name of the folder with the photos.
    static let folder = "photos"

    /// The fields of a row with a photo.
    struct Fields {
        fileprivate var sha256 = SIMD32<UInt8>()
        // A text of up to 15 bytes has no storage of its own.
        fileprivate var fileExtension = ""
        /// The value of the field `keep_exif`.
        fileprivate(set) var keepsEXIF = false

        /// The value of the field `photo`: the path of the photo.
        var path: String {
            let name = OutputBuffer()
            withUnsafeBytes(of: sha256) { name.append(hex: Array($0).span) }
            return "\(folder)/\(name.text).\(fileExtension)"
        }
    }

    private var fields: [Int64: Fields] = [:]

    /// The number of photos.
    var count: Int { fields.count }

    /// The fields of a row with a photo, or `nil` if the key is 0 or unknown.
    subscript(_ key: Int64) -> Fields? { fields[key] }

    /// Writes a photo to its file, and keeps the fields of its rows.
    ///
    /// - Parameters:
    ///   - photo: The photo.
    ///   - output: The folder of the export.
    /// - Throws: The errors of the output.
    func add(_ photo: ExportQuery.StoredPhoto, to output: some OutputFolder) throws {
        var fields = Fields()
        for (index, byte) in photo.sha256.prefix(fields.sha256.scalarCount).enumerated() { fields.sha256[index] = byte }
        fields.fileExtension = Photo.fileExtension(of: photo.mediaType)
        fields.keepsEXIF = Self.holdsMetadata(photo.bytes)
        let file = try output.open(fields.path)
        try file.write(photo.bytes.span.bytes)
        try file.commit()
        self.fields[photo.key] = fields
    }

    /// Whether a load would remove metadata from the photo unless the record has `keep_exif`.
    private static func holdsMetadata(_ bytes: [UInt8]) -> Bool {
        guard let photo = try? Photo(bytes), !photo.hasEXIF else { return true }
        let stored = try? PhotoFile(bytes).photo(limit: Photo.highestLimit, verifying: false)
        return stored?.bytes != bytes
    }
}
