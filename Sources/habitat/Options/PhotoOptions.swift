import ArgumentParser
import Geo
import HabitModel
import Photos

/// A photo from a file, and the position of the record.
struct PhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A JPEG, PNG, WebP or GIF file under 65,536 bytes; none takes it away.", valueName: "file"))
    var photo: String?
    @Flag(help: "Make a JPEG that fits of a photo that is too large.")
    var shrinkPhoto = false
    @Flag(help: "Leave the photo's EXIF data in it.")
    var keepExif = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "LATITUDE,LONGITUDE, 'photo' for where the photo says it was taken, or 'none'.", valueName: "position"))
    var position: String?

    /// Returns the photo and the position.
    ///
    /// Call this method before the store is opened, because it reads and converts the file.
    /// - Throws: The errors of reading and converting the photo, `location-unavailable` if the position of the photo is
    ///   requested but unknown, and `usage` for photo options without a photo.
    func read() throws -> (photo: Given<Photo>, position: Given<Position>) {
        guard let photo, photo != "none" else {
            guard !shrinkPhoto, !keepExif else {
                throw HabitError(
                    .usage, "--shrink-photo and --keep-exif are about a photo: give one with --photo", field: "photo")
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

    private func position(in photo: PhotoFile?) throws -> Given<Position> {
        switch position {
        case nil: return .absent
        case "none": return .null
        case "photo":
            guard let position = photo?.position else {
                throw HabitError(
                    .locationUnavailable,
                    "no photo was given that says where it was taken (stored photos do not): give its file with --photo, or the position as LATITUDE,LONGITUDE",
                    field: "position")
            }
            return .value(position)
        case let text?: return .value(try Parse.position(text, option: "position"))
        }
    }
}
