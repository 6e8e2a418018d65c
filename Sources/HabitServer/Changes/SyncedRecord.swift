import Base
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// A record as clients copy it: a feature with the properties that are stored with the record.
///
/// Properties that depend on other records or on the date, such as the status of a habit, would be out of date.
struct SyncedRecord: Sendable {
    let collection: FeatureCollection
    /// The GeoJSON feature.
    let feature: [UInt8]
    /// A text that differs for each stored state of the record and its photo.
    let version: String

    /// The entry of a list of changes.
    var entry: [UInt8] {
        let entry: JSON = [
            "action": "put", "collection": .text(collection.id), "feature": .verbatim(feature),
            "version": .text(version),
        ]
        return entry.bytes
    }

    /// Returns the text of a property of the feature, or `nil` if the property is not a text.
    func text(_ name: String) -> String? {
        guard let properties = try? JSONSlice(feature[...]).members()["properties"]?.members() else { return nil }
        return try? properties[name]?.text()
    }
}

/// Reads the records that clients copy, for one viewer.
struct SyncedRecords {
    let viewer: Viewer
    let clock: Clock
    let session: any Session

    /// Returns the collection of a kind of records.
    static func collection(_ kind: RecordKind) throws -> FeatureCollection {
        guard let collection = FeatureCollection.named(kind.rawValue) else {
            throw HabitError(.internal, "the kind '\(kind.rawValue)' has no collection")
        }
        return collection
    }

    /// Returns a record, or `nil` if the viewer cannot see a record with the ID.
    func one(_ kind: RecordKind, _ id: String) throws -> SyncedRecord? {
        let collection = try Self.collection(kind)
        let selection: Selection
        do {
            switch kind {
            case .events:
                // The status of the habit is not read, because it costs a read of all events of the habit.
                var query = EventQuery(viewer: viewer)
                query.filter.id = id
                query.page = Page(limit: 1)
                selection = try query.selection(in: session)
            case .items: selection = try ItemQuery.one(id, viewer: viewer, clock: storedState, in: session)
            default: selection = try collection.one(id, viewer, clock, session)
            }
        } catch let error as HabitError where [.notFound, .postDeleted].contains(error.code) {
            return nil
        }
        var found: SyncedRecord?
        try read(selection, of: kind) { record in
            found = record
            return false
        }
        return found
    }

    /// Reads the visible records of a kind.
    ///
    /// - Parameters:
    ///   - reset: The kind of the records and their owner.
    ///   - page: The page to read.
    ///   - body: Receives each record.
    /// - Returns: The cursor of the last record, or `nil` if no record follows the page.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to the list, and the errors of `body`.
    func all(_ reset: ChangeFeed.Reset, _ page: Page, _ body: (SyncedRecord) throws -> Void) throws -> Cursor? {
        if let user = reset.user, try !ChangeFeed.isVisible(user, to: viewer, in: session) { return nil }
        let users = reset.user.map { [$0] } ?? []
        let selection: Selection
        switch reset.kind {
        case .events:
            var query = EventQuery(viewer: viewer)
            query.filter.users = users
            query.page = page
            selection = try query.selection(in: session)
        case .items:
            var query = ItemQuery(viewer: viewer, clock: storedState)
            query.states = []
            query.users = users
            query.page = page
            selection = try query.selection(in: session)
        default:
            var request = FeatureRequest(page: page)
            request.filter.users = users
            selection = try Self.collection(reset.kind).list(request, viewer, clock, session)
        }
        var count = 0
        var last: Cursor?
        var isFull = false
        try read(selection, of: reset.kind, didRead: { cursor in if count <= page.limit { last = cursor } }) { record in
            count += 1
            isFull = count > page.limit
            if !isFull { try body(record) }
            return !isFull
        }
        return isFull ? last : nil
    }

    /// A clock with which no item is expired, so that the state of an item is its stored state.
    private var storedState: Clock { Clock(now: clock.now, today: .first) }

    private func read(
        _ selection: Selection, of kind: RecordKind, didRead: (Cursor) -> Void = { _ in },
        _ body: (SyncedRecord) throws -> Bool
    ) throws {
        let collection = try Self.collection(kind)
        var shape = selection.shape
        let kept = Self.properties(of: kind)
        shape.columns.removeAll { column in !kept.contains(column.name) }
        shape.choice = nil
        let photoFlag = collection.photoFlag(in: selection.shape)
        try session.query(selection.sql) { row in
            let feature = try Self.feature(row, shape)
            var stored = feature
            if let photoFlag, row.integer(photoFlag) != 0, let object = collection.object,
                let column = shape.identity.first, let id = row.text(column.index)
            {
                stored += try PhotoQuery(object, id, viewer: viewer).digestOfVisible(in: session) ?? []
            }
            let version = stored.sha256.prefix(12).hexadecimal
            let goesOn = try body(SyncedRecord(collection: collection, feature: feature, version: version))
            if goesOn { didRead(Cursor(of: row, in: selection)) }
            return goesOn
        }
    }

    /// The properties that are stored with a record of a kind.
    private static func properties(of kind: RecordKind) -> Set<String> {
        let isPrivate: Set<Field> = kind == .users ? [.email, .timeZone, .shareLocation] : []
        return Set(kind.fields.filter { !isPrivate.contains($0) }.map(\.name)).union(["has_photo", "unplanned"])
    }

    private static func feature(_ row: any Row, _ shape: ResultShape) throws -> [UInt8] {
        let output = OutputBuffer()
        try SingleFeature.write(row, shape, "", to: output)
        // A line of a stream or of NDJSON contains the feature.
        return Array(output.contents.trimmingSuffix { $0 == UInt8(ascii: "\n") })
    }
}
