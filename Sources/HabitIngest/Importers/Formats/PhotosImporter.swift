import Base
import HabitModel
import Photos

/// Photos with the positions and times of their EXIF data: one photo, or a folder or archive with photos.
///
/// The store cannot decode HEIC and AVIF. Such a photo becomes a post without a photo.
struct PhotosImporter: Importer {
    static let format = "photos"
    static let isFallback = true

    static func canRead(_ input: ImportInput) throws -> Bool {
        try input.files.contains { file in try file.content.kind == .photo }
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        var digests = RecentHashes()
        var unreadablePhotos = 0
        for file in input.files {
            guard try file.content.kind == .photo else { continue }
            let source = SourceLocation(file: file.displayName)
            let entry: ImportEntry
            var unreadableValues: [UnreadableValue.Kind] = []
            do {
                let photo = try LoadedPhoto(file)
                if digests.insert(photo.digest) {
                    let metadata = try photo.metadata()
                    let time = PhotoTime(metadata)
                    if !metadata.isReadable, time.value != nil { unreadablePhotos += 1 }
                    entry = .post(photo.post(at: time.value, metadata, source: source))
                    unreadableValues = time.unreadable
                    if metadata.hasUnreadablePosition { unreadableValues.append(.position) }
                } else {
                    entry = .skipped(.posts, .duplicate, source: source)
                }
            } catch let error as HabitError where !error.isOfCompleteInput {
                entry = .rejected(.posts, error, original: file.name, source: source)
            }
            try receive(entry)
            for kind in unreadableValues {
                try receive(.unreadable(UnreadableValue(kind, in: file.displayName)))
            }
        }
        if unreadablePhotos > 0 { try receive(.notice(Self.notice(ofUnreadable: unreadablePhotos))) }
    }

    private static func notice(ofUnreadable count: Int) -> ImportNotice {
        let photos = count == 1 ? "1 photo is in HEIC or AVIF" : "\(count) photos are in HEIC or AVIF"
        return ImportNotice(
            "\(photos), which the store cannot read, so only the times, positions and captions are stored",
            .advice("convert the photos to JPEG and import the JPEG files instead"))
    }

    /// The file of a photo with its bytes.
    private struct LoadedPhoto {
        let file: ImportFile
        let bytes: [UInt8]
        let digest: String

        init(_ file: ImportFile) throws {
            self.file = file
            bytes = try file.bytes(limit: PhotoFile.sizeLimit)
            digest = ImportID.digest(of: bytes)
        }

        func metadata() throws -> PhotoMetadata {
            try HabitError.ofPhoto { () throws(PhotoError) in try PhotoMetadata(bytes) }
        }

        func post(
            at time: ImportTime?,
            _ metadata: PhotoMetadata,
            source: SourceLocation
        ) -> ImportedPost {
            var post = ImportedPost()
            post.time = time
            post.caption = metadata.description?.trimmed ?? ""
            post.position = metadata.position
            post.source = source
            if metadata.isReadable {
                post.photo = photo
            } else {
                post.localID = "photo \(digest)"
            }
            return post
        }

        /// The photo of the post.
        ///
        /// The first call for its bytes does not read the file again. Later calls do, so that an import with many photos
        /// does not keep all of them in memory.
        private var photo: ImportedPhoto {
            let file = file
            var known: [UInt8]? = bytes
            return ImportedPhoto(
                bytes: {
                    defer { known = nil }
                    return try known ?? file.bytes(limit: PhotoFile.sizeLimit)
                },
                identifiesPost: true)
        }
    }
}
