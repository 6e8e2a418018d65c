import Base
import HTTPServing
import HabitModel

/// The body of a request that creates a record: the record in JSON, or a form with the record and its photo.
struct RecordUpload: Sendable {
    /// The names of the parts of a form.
    static let parts = ["record", "photo"]

    private(set) var record: [UInt8]
    /// The file of the photo, or `nil` if the body is not a form with a photo.
    private(set) var photo: [UInt8]?

    /// The media types of the part with the record.
    private static let recordTypes = [
        ContentType.json.text, ContentType.geoJSON.text, "text/plain", "application/octet-stream",
    ]

    /// Splits a body.
    ///
    /// - Parameters:
    ///   - body: The complete body.
    ///   - boundary: The boundary of the form, or `nil` if the body is not a form.
    /// - Throws: `row-invalid`, `field-invalid`, `field-missing`.
    init(_ body: [UInt8], boundary: String?) throws(HabitError) {
        record = body
        guard let boundary else { return }
        let form = try MultipartForm(body, boundary: boundary, known: Self.parts)
        guard let part = form.parts[Self.parts[0]] else {
            throw HabitError(
                .fieldMissing, "the form has no part 'record': send the record as JSON in it", field: Self.parts[0])
        }
        guard part.mediaType.map(Self.recordTypes.contains) ?? true else {
            throw HabitError(
                .fieldInvalid, "the part 'record' is not JSON: send a GeoJSON Feature or a JSON object of fields",
                field: Self.parts[0])
        }
        record = Array(part.content)
        // A browser sends an empty part for a file that the user did not choose.
        let content = form.parts[Self.parts[1]]?.content ?? []
        photo = content.isEmpty ? nil : Array(content)
    }

    /// Returns the boundary of a form, or `nil` if the body of a request is a record.
    ///
    /// - Parameters:
    ///   - contentType: The header Content-Type of the request.
    ///   - collection: The collection of the new record.
    /// - Returns: The boundary, or `nil`.
    /// - Throws: `row-invalid` if the boundary is not valid, or if the records of the collection have no photo.
    static func boundary(
        of contentType: String?, for collection: FeatureCollection
    ) throws(HabitError) -> String? {
        guard let boundary = try MultipartForm.boundary(of: contentType) else { return nil }
        guard collection.hasPhotos else {
            throw HabitError(
                .rowInvalid,
                "the body is a form, but the records of the collection '\(collection.id)' have no photo: send a GeoJSON Feature or a JSON object with the fields"
            )
        }
        return boundary
    }

    /// Checks that the body of a change is a record.
    ///
    /// - Parameters:
    ///   - contentType: The header Content-Type of the request.
    ///   - collection: The collection of the record.
    /// - Throws: `row-invalid` if the body is a form.
    static func refuseForm(_ contentType: String?, for collection: FeatureCollection) throws(HabitError) {
        guard try MultipartForm.boundary(of: contentType) != nil else { return }
        let photo = collection.hasPhotos ? ", and PUT the bytes of the photo to the address of the photo" : ""
        throw HabitError(
            .rowInvalid,
            "the body of a change is not a form: send a GeoJSON Feature or a JSON object with the fields\(photo)")
    }
}

extension HabitError {
    /// The same error for a form, whose photo is a part and not a member of the record.
    var ofForm: HabitError {
        var error = self
        error.remedies = remedies.map { remedy in
            remedy == .give(.photo) ? .advice("send its file in the part 'photo' of the form") : remedy
        }
        return error
    }
}
