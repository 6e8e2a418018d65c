import ArgumentParser
import Base
import Geo
import HabitModel
import Photos

/// The photo of an event, and the position of the event.
struct EventPhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "JPEG, PNG, WebP or GIF file of less than 65,536 bytes; 'none' removes the photo.", valueName: "file"),
        completion: .photo)
    var photo: String?
    @Flag(help: "Keep the EXIF data of the photo.")
    var keepExif = false
    @OptionGroup var options: PhotoOptions

    /// See ``PhotoOptions/read(_:keepingEXIF:)``.
    func read() throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        try options.read(photo, keepingEXIF: keepExif)
    }
}

/// The photo of a post, which every post has, and the position of the post.
struct PostPhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("JPEG, PNG, WebP or GIF file of less than 65,536 bytes.", valueName: "file"),
        completion: .photo)
    var photo: String?
    @Flag(help: "Keep the EXIF data of the photo.")
    var keepExif = false
    @OptionGroup var options: PhotoOptions

    /// See ``PhotoOptions/read(_:keepingEXIF:)``.
    func read() throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        try options.read(photo, keepingEXIF: keepExif)
    }
}

/// The photo of an item, which every item has and which never keeps its metadata, and the position of the item.
struct ItemPhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("JPEG, PNG, WebP or GIF file of less than 65,536 bytes.", valueName: "file"),
        completion: .photo)
    var photo: String?
    @OptionGroup var options: PhotoOptions

    /// See ``PhotoOptions/read(_:keepingEXIF:)``.
    func read() throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        try options.read(photo, keepingEXIF: false)
    }
}

/// The conversion of a photo, and the position of the record.
struct PhotoOptions: ParsableArguments {
    @Flag(help: "Convert a photo that is too large to a smaller JPEG.")
    var shrinkPhoto = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Position: LATITUDE,LONGITUDE, a large city, 'photo' for the position in the EXIF data, or 'none'.",
            valueName: "position"), completion: .position)
    var position: String?

    /// Returns the photo and the position.
    ///
    /// Call this method before the store is opened, because it reads and converts the file.
    ///
    /// - Parameters:
    ///   - photo: The path of the file, `none` to remove the photo, or `nil` for no change.
    ///   - keepsEXIF: Whether the photo keeps its EXIF data.
    /// - Returns: The values of the two fields.
    /// - Throws: The errors of reading and converting the photo, `location-unavailable` if the position of the photo is
    ///   requested but unknown, and `usage` for photo options without a photo.
    func read(
        _ photo: String?, keepingEXIF keepsEXIF: Bool
    ) throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        guard let photo, photo != "none" else {
            for (isGiven, option) in [(shrinkPhoto, "shrink-photo"), (keepsEXIF, "keep-exif")] where isGiven {
                throw HabitError(
                    .usage, "--\(option) requires a photo: pass its file with --photo", field: "photo")
            }
            return (photo == nil ? .absent : .null, try position(in: nil))
        }
        let bytes = try Parse.file(photo, option: "photo", limit: PhotoFile.sizeLimit, tooLarge: .photoTooLarge)
        let (file, stored) = try HabitError.ofPhoto { () throws(PhotoError) in
            let file = try PhotoFile(bytes)
            return (file, try file.photo(keepingEXIF: keepsEXIF, shrinking: shrinkPhoto))
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
        case let text?: return .value(try PlaceNames.commandLine.position(text, field: "position"))
        }
    }
}
