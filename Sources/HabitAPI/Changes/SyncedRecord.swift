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
    /// A text that differs after each change of the record.
    ///
    /// The version of a record that the viewer may not edit differs after each change that the viewer can see.
    let version: String

    /// The entry of a list of changes.
    var entry: [UInt8] {
        let entry: JSON = [
            "action": "put",
            "collection": .text(collection.id),
            "feature": .verbatim(feature),
            "version": .text(version),
        ]
        return entry.bytes
    }

    /// Returns the text of a property of the feature, or `nil` if the property is not a text.
    func text(_ name: String) -> String? {
        let members = try? JSONSlice(feature[...]).members()
        let properties = try? members?["properties"]?.members()
        return try? properties?[name]?.text()
    }
}

/// Reads the records that clients copy, for one viewer.
struct SyncedRecords {
    let viewer: Viewer
    let clock: Clock
    let session: any Session
    /// The tags of the viewer's part of the log.
    let tags: LogTags

    /// Returns the collection of a kind of records.
    static func collection(_ kind: RecordKind) throws -> FeatureCollection {
        guard let collection = FeatureCollection.named(kind.rawValue) else {
            throw HabitError(.internal, "the kind '\(kind.rawValue)' has no collection")
        }
        return collection
    }

    /// Returns a record, or `nil` if the viewer cannot see a record with the ID.
    func one(_ kind: RecordKind, _ id: String) throws -> SyncedRecord? {
        let selection: Selection
        do {
            selection = try self.selection(of: id, kind)
        } catch let error as HabitError where [.notFound, .postDeleted].contains(error.code) {
            return nil
        }
        let page = try read(selection, of: kind, atMost: 1)
        return page.records.first
    }

    /// Returns the selection of one record.
    private func selection(of id: String, _ kind: RecordKind) throws -> Selection {
        switch kind {
        case .events:
            // The status of the habit is not read, because it costs a read of all events of the habit.
            var query = EventQuery(viewer: viewer)
            query.filter.id = id
            query.page = Page(limit: 1)
            return try query.selection(in: session)
        case .items:
            return try ItemQuery.one(id, viewer: viewer, clock: storedState, in: session)
        default:
            let collection = try Self.collection(kind)
            return try collection.one(id, viewer, clock, session)
        }
    }

    /// The records of a page.
    struct RecordPage {
        var records: [SyncedRecord] = []
        /// The cursor of the last record, or `nil` if no record follows the page.
        var next: Cursor?
    }

    /// Reads the visible records of a kind.
    ///
    /// - Parameters:
    ///   - reset: The kind of the records and their owner.
    ///   - page: The page to read.
    /// - Returns: The records of the page.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to the list, and the errors of the engine.
    func all(_ reset: ChangeFeed.Reset, _ page: Page) throws -> RecordPage {
        if let user = reset.user, try !ChangeFeed.isVisible(user, to: viewer, in: session) {
            return RecordPage()
        }
        let selection = try selection(of: reset, page)
        return try read(selection, of: reset.kind, atMost: page.limit)
    }

    /// Returns the selection of a page.
    private func selection(of reset: ChangeFeed.Reset, _ page: Page) throws -> Selection {
        let users = [reset.user].compactMap(\.self)
        switch reset.kind {
        case .events:
            var query = EventQuery(viewer: viewer)
            query.filter.users = users
            query.page = page
            return try query.selection(in: session)
        case .items:
            var query = ItemQuery(viewer: viewer, clock: storedState)
            query.states = []
            query.users = users
            query.page = page
            return try query.selection(in: session)
        default:
            let collection = try Self.collection(reset.kind)
            var request = FeatureRequest(page: page)
            request.filter.users = users
            return try collection.list(request, viewer, clock, session)
        }
    }

    /// A clock with which no item is expired, so that the state of an item is its stored state.
    private var storedState: Clock {
        Clock(now: clock.now, today: .first)
    }

    /// A record without its version.
    private struct FoundRecord {
        var id: String
        var feature: [UInt8]
    }

    /// Reads records and their versions.
    private func read(
        _ selection: Selection,
        of kind: RecordKind,
        atMost limit: Int
    ) throws -> RecordPage {
        var shape = selection.shape
        let kept = Self.properties(of: kind)
        shape.columns.removeAll { column in !kept.contains(column.name) }
        shape.choice = nil
        var found: [FoundRecord] = []
        var last: Cursor?
        var isFull = false
        try session.query(selection.sql) { row in
            isFull = found.count == limit
            guard !isFull else { return false }
            let parts = selection.shape.identity.map { column in
                row.text(column.index) ?? ""
            }
            let record = FoundRecord(
                id: CompositeID.text(parts),
                feature: try Self.feature(row, shape))
            found.append(record)
            last = Cursor(of: row, in: selection)
            return true
        }
        let records = try versioned(found, of: kind)
        return RecordPage(records: records, next: isFull ? last : nil)
    }

    /// Reads the versions of records.
    private func versioned(_ found: [FoundRecord], of kind: RecordKind) throws -> [SyncedRecord] {
        let collection = try Self.collection(kind)
        let ids = found.map(\.id)
        let versions = try RecordVersions(kind, viewer: viewer, in: session).all(of: ids)
        return found.map { record in
            let version =
                if let number = versions[record.id] {
                    tags.version(of: kind, id: record.id, number: number)
                } else {
                    tags.versionOfOthers
                }
            return SyncedRecord(
                collection: collection,
                feature: record.feature,
                version: version)
        }
    }

    /// The properties that are stored with a record of a kind.
    private static func properties(of kind: RecordKind) -> Set<String> {
        let privateFields: Set<Field> = kind == .users ? [.email, .timeZone, .shareLocation] : []
        let fields = kind.fields.filter { field in !privateFields.contains(field) }
        let names = Set(fields.map(\.name))
        return names.union(["has_photo", "unplanned"])
    }

    private static func feature(_ row: any Row, _ shape: ResultShape) throws -> [UInt8] {
        let output = OutputBuffer()
        try SingleFeature.write(row, shape: shape, adding: "", to: output)
        // A line of a stream or of NDJSON contains the feature.
        let newline = UInt8(ascii: "\n")
        let feature = output.contents.trimmingSuffix { byte in byte == newline }
        return Array(feature)
    }
}
