import ArgumentParser
import Geo
import HabitModel
import Photos

/// A photo from a file, and the position of the record.
struct PhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "JPEG, PNG, WebP or GIF file of less than 65,536 bytes; 'none' removes the photo.", valueName: "file"))
    var photo: String?
    @Flag(help: "Convert a photo that is too large to a smaller JPEG.")
    var shrinkPhoto = false
    @Flag(help: "Keep the EXIF data of the photo.")
    var keepExif = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Position: LATITUDE,LONGITUDE, 'photo' for the position in the EXIF data, or 'none'.", valueName: "position"
        ))
    var position: String?

    /// Returns the photo and the position.
    ///
    /// Call this method before the store is opened, because it reads and converts the file.
    /// - Throws: The errors of reading and converting the photo, `location-unavailable` if the position of the photo is
    ///   requested but unknown, and `usage` for photo options without a photo.
    func read() throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        guard let photo, photo != "none" else {
            guard !shrinkPhoto, !keepExif else {
                throw HabitError(
                    .usage, "--shrink-photo and --keep-exif require a photo: pass its file with --photo", field: "photo"
                )
            }
            return (photo == nil ? .absent : .null, try position(in: nil))
        }
        let bytes = try Parse.file(photo, option: "photo", limit: PhotoFile.sizeLimit, tooLarge: .photoTooLarge)
        let (file, stored) = try HabitError.ofPhoto { () throws(PhotoError) in
            let file = try PhotoFile(bytes)
            return (file, try file.photo(keepingEXIF: keepExif, shrinking: shrinkPhoto))
        }
        return (.value(stored), try position(in: file))
    }

    private func position(in photo: PhotoFile?) throws -> FieldInput<Position> {
        switch position {
        case nil: return .absent
        case "none": return .null
        case "photo":
            if photo?.hasUnreadablePosition == true {
                throw HabitError(
                    .locationUnavailable,
                    "the position in the EXIF data of the photo cannot be read: pass --position LATITUDE,LONGITUDE",
                    field: "position")
            }
            guard let position = photo?.position else {
                throw HabitError(
                    .locationUnavailable,
                    "no photo file with a position in its EXIF data (stored photos have no position): pass such a file with --photo, or pass --position LATITUDE,LONGITUDE",
                    field: "position")
            }
            return .value(position)
        case let text?: return .value(try Parse.position(text, field: "position"))
        }
    }
}
