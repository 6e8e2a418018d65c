import CSimdJSON
import HabitModel

/// The members of a Feature next to its properties: the ID and the geometry.
extension JSONRecordReader {
    /// Adds the Feature's ID to the record.
    ///
    /// The properties may contain the same ID again.
    func addID(_ value: habitat_json_value?, to record: inout RawRecord) throws(RowFault) {
        guard let value, value.type != HABITAT_JSON_NULL else { return }
        let id = RawValue(value)
        guard let text = id.idText else {
            throw .row(.fieldInvalid, "the Feature's id must be a string or a number", "id")
        }
        guard record.kind.fields.contains(.id) else { return try noteUnknown("id", record) }
        if record.contains(.id), record[.id] != .null, record[.id].idText != text {
            throw .row(
                .fieldInvalid, "the Feature's id differs from the id in its properties: remove one of them", "id")
        }
        if !record.contains(.id) || record[.id] == .null { record.set(id, for: .id) }
    }

    /// Adds the position of a geometry: a Point, or null for an unlocated Feature (RFC 7946, section 3.2).
    func addGeometry(_ object: habitat_json_record, to record: inout RawRecord) throws(RowFault) {
        let hasPosition = record.kind.fields.contains(.longitude)
        switch object.geometry {
        case HABITAT_JSON_MISSING:
            throw .row(.fieldMissing, "the geometry is missing: write a Point, or null for no position", "geometry")
        case HABITAT_JSON_UNLOCATED:
            guard hasPosition else { return }
            for field in [Field.longitude, .latitude] where !record.contains(field) { record.set(.null, for: field) }
        case HABITAT_JSON_POINT:
            guard hasPosition else { return try noteUnknown("geometry", record) }
            for field in [Field.longitude, .latitude] where record.contains(field) {
                throw .row(
                    .rowInvalid,
                    "the position is in the geometry and in the properties: remove \(field.name) from the properties",
                    field.name)
            }
            record.set(.number(object.longitude.degrees), for: .longitude)
            record.set(.number(object.latitude.degrees), for: .latitude)
        default:
            throw .row(
                .fieldInvalid,
                "the geometry is not a Point of longitude and latitude: write a Point, or null for no position",
                "geometry")
        }
    }
}
