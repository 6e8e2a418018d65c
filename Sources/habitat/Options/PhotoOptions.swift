import ArgumentParser
import Base
import Geo
import HabitModel
import HabitStore
import Photos
import StoreEngine

/// The photo of an event, and the position of the event.
struct EventPhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "JPEG, PNG, WebP or GIF file of at most 65,535 bytes; 'none' removes the photo.", valueName: "file"),
        completion: .photo)
    var photo: String?
    @Flag(help: "Keep the EXIF data of the photo.")
    var keepExif = false
    @OptionGroup var options: PhotoOptions

    /// See ``PhotoOptions/read(_:keepingEXIF:limit:)``.
    func read() throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        try options.read(photo, keepingEXIF: keepExif, limit: Photo.standardLimit)
    }
}

/// The photo of a post, which every post has, and the position of the post.
struct PostPhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "JPEG, PNG, WebP or GIF file, up to 65,535 bytes by default.", valueName: "file"),
        completion: .photo)
    var photo: String?
    @Flag(help: "Keep the EXIF data of the photo.")
    var keepExif = false
    @OptionGroup var options: PhotoOptions

    /// See ``PhotoOptions/read(_:keepingEXIF:limit:)``.
    func read(_ common: CommonOptions) throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        try options.read(photo, keepingEXIF: keepExif, limit: try common.photoLimit(of: .posts))
    }
}

/// The photo of an item, which every item has and which never keeps its metadata, and the position of the item.
struct ItemPhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "JPEG, PNG, WebP or GIF file, up to 65,535 bytes by default.", valueName: "file"),
        completion: .photo)
    var photo: String?
    @OptionGroup var options: PhotoOptions

    /// See ``PhotoOptions/read(_:keepingEXIF:limit:)``.
    func read(_ common: CommonOptions) throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        try options.read(photo, keepingEXIF: false, limit: try common.photoLimit(of: .items))
    }
}

/// The conversion of a photo, and the position of the record.
struct PhotoOptions: ParsableArguments {
    @Flag(help: "Convert a photo that is too large to a smaller JPEG.")
    var shrinkPhoto = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Position: LATITUDE,LONGITUDE, one of your places, a large city, 'last' for the position of your newest located event, 'photo' for the position in the EXIF data, or 'none'.",
            valueName: "position"), completion: .position)
    var position: String?

    /// The position of the user's newest located event.
    private static let last = "last"

    /// Returns the photo and the position.
    ///
    /// Call this method before the store is changed, because it reads and converts the file. The position `last` is
    /// absent, because it is in the store: see ``position(_:of:)``.
    ///
    /// - Parameters:
    ///   - photo: The path of the file, `none` to remove the photo, or `nil` for no change.
    ///   - keepsEXIF: Whether the photo keeps its EXIF data.
    ///   - limit: The maximum size of the photo in bytes, which is read only if the option names a file.
    /// - Returns: The values of the two fields.
    /// - Throws: The errors of reading and converting the photo, `location-unavailable` if the position of the photo is
    ///   requested but unknown, and `usage` for photo options without a photo.
    func read(
        _ photo: String?, keepingEXIF keepsEXIF: Bool, limit: @autoclosure () throws -> Int
    ) throws -> (photo: FieldInput<Photo>, position: FieldInput<Position>) {
        guard let photo, photo != "none" else {
            for (isGiven, option) in [(shrinkPhoto, "shrink-photo"), (keepsEXIF, "keep-exif")] where isGiven {
                throw HabitError(
                    .usage, "--\(option) requires a photo: pass its file with --photo", field: "photo")
            }
            return (photo == nil ? .absent : .null, try position(in: nil))
        }
        let bytes = try Parse.file(photo, option: "photo", limit: PhotoFile.sizeLimit, tooLarge: .photoTooLarge)
        let limit = try limit()
        let file = try HabitError.ofPhoto { () throws(PhotoError) in try PhotoFile(bytes) }
        let stored = try HabitError.ofPhoto { () throws(PhotoError) in
            try file.photo(keepingEXIF: keepsEXIF, limit: limit, shrinking: shrinkPhoto)
        }
        return (.value(stored), try position(in: file))
    }

    /// Returns the position of the user's newest located event if the option requests it, otherwise `position`.
    ///
    /// - Parameters:
    ///   - position: The position of ``read(_:keepingEXIF:)``.
    ///   - user: The user.
    /// - Returns: The position of the record.
    /// - Throws: `location-unavailable` if no event of the user has a position.
    func position(_ position: FieldInput<Position>, of user: ActingUser) throws -> FieldInput<Position> {
        guard self.position == Self.last else { return position }
        return .value(try user.viewer.position(Self.last, field: "position", in: user.session))
    }

    private func position(in photo: PhotoFile?) throws -> FieldInput<Position> {
        switch position {
        case nil, Self.last: return .absent
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

extension CommonOptions {
    /// Reads the maximum size of a new photo of a record from the settings of the store, in bytes.
    ///
    /// The store is opened as for the change that follows, which migrates a store of an earlier version.
    ///
    /// - Parameter kind: The kind of the record.
    /// - Returns: The limit.
    /// - Throws: The errors of opening the store.
    fileprivate func photoLimit(of kind: RecordKind) throws -> Int {
        let settings = try open(.write).read { session in try StoreSettings.read(in: session) }
        return settings.photoLimit(of: kind)
    }
}
