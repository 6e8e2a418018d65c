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
        return try read(selection, of: kind, atMost: 1).records.first
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
        return try read(selection, of: reset.kind, atMost: page.limit)
    }

    /// A clock with which no item is expired, so that the state of an item is its stored state.
    private var storedState: Clock { Clock(now: clock.now, today: .first) }

    /// A record without its version.
    private struct FoundRecord {
        var id: String
        var feature: [UInt8]
    }

    /// Reads records and their versions.
    private func read(_ selection: Selection, of kind: RecordKind, atMost limit: Int) throws -> RecordPage {
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
            let parts = selection.shape.identity.map { column in row.text(column.index) ?? "" }
            found.append(FoundRecord(id: CompositeID.text(parts), feature: try Self.feature(row, shape)))
            last = Cursor(of: row, in: selection)
            return true
        }
        return RecordPage(records: try versioned(found, of: kind), next: isFull ? last : nil)
    }

    /// Reads the versions of records.
    private func versioned(_ found: [FoundRecord], of kind: RecordKind) throws -> [SyncedRecord] {
        let collection = try Self.collection(kind)
        let versions = try RecordVersions(kind, viewer: viewer, in: session).all(of: found.map(\.id))
        return found.map { record in
            let own = versions[record.id].map { number in
                tags.version(of: kind, id: record.id, number: number)
            }
            return SyncedRecord(
                collection: collection,
                feature: record.feature,
                version: own ?? tags.versionOfOthers)
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
