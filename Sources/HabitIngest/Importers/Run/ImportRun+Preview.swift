import Base
import HabitModel
import StoreEngine

/// The previews of the records that a dry run would store.
extension ImportRun {
    /// Adds a record to the first records of its kind, for an import that stores nothing.
    func preview(_ record: Record, _ kind: RecordKind) {
        guard options.isDryRun else { return }
        let count = summary.previews.count { preview in preview.kind == kind }
        guard count < ImportSummary.previewCount else { return }
        summary.previews.append(ImportSummary.Preview(kind: kind, values: record.preview))
    }
}

extension ImportSummary {
    /// Returns the previews of a record kind as a table, or `nil` without previews of the kind.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - isForPeople: Whether long IDs are cut, and latitudes precede longitudes as in positions that people type.
    /// - Returns: The rows and their shape.
    public func previewTable(of kind: RecordKind, isForPeople: Bool) -> (rows: [ValueRow], shape: ResultShape)? {
        let records = previews.filter { preview in preview.kind == kind }
        guard let first = records.first else { return nil }
        var columns = first.values.enumerated().map { index, value in
            value.key == "schedule"
                ? Column(value.key, .text, at: index, measure: .schedule) : Column(value.key, .any, at: index)
        }
        let longitude = columns.firstIndex { column in column.name == "longitude" }
        let latitude = columns.firstIndex { column in column.name == "latitude" }
        if isForPeople, let longitude, let latitude {
            columns.swapAt(longitude, latitude)
        }
        let rows = records.map { record in
            ValueRow(record.values.map { name, value in isForPeople ? value.cut(inColumn: name) : value })
        }
        return (rows, ResultShape(columns: columns))
    }

    /// Returns the number of entries of a kind that became records.
    public func recordCount(of kind: RecordKind) -> Int {
        count(.inserted, of: kind) + count(.updated, of: kind) + count(.unchanged, of: kind)
    }
}

extension Record {
    /// The values of the record in a preview, by the names of their columns.
    fileprivate var preview: KeyValuePairs<String, Value> {
        switch self {
        case .habit(let habit): habit.preview
        case .event(let event): event.preview
        case .post(let post): post.preview
        // An import creates no other records.
        case .setting, .user, .schedule, .pause, .follow, .block, .item, .claim, .message, .read: [:]
        }
    }
}

extension HabitRecord {
    fileprivate var preview: KeyValuePairs<String, Value> {
        [
            "id": .text(id),
            "title": .text(title),
            "schedule": .text(schedule.description),
            "start": .text(start.value?.description),
            "end": .text(end.value?.description),
            "reason": .text(reason.value),
        ]
    }
}

extension EventRecord {
    fileprivate var preview: KeyValuePairs<String, Value> {
        let position = details.position.value
        return [
            "habit": .text(habit),
            "day": .text(day?.description),
            "at": .text(at.value?.description),
            "outcome": .text(outcome.value?.rawValue),
            "amount": .number(details.amount.value),
            "comment": .text(details.comment.value),
            "longitude": .number(position?.longitude),
            "latitude": .number(position?.latitude),
        ]
    }
}

extension PostRecord {
    fileprivate var preview: KeyValuePairs<String, Value> {
        let position = position.value
        return [
            "id": .text(id),
            "at": .text(postedAt.value?.description),
            "caption": .text(caption.value),
            "longitude": .number(position?.longitude),
            "latitude": .number(position?.latitude),
            "has_photo": .text(photo.value == nil ? "no" : "yes"),
        ]
    }
}

extension Value {
    /// The maximum number of characters of an ID in a preview for people.
    private static let idLength = 16

    /// Returns the beginning of a long ID, or any other value unchanged.
    ///
    /// - Parameter column: The name of the column of the value.
    /// - Returns: The value as a preview for people shows it.
    fileprivate func cut(inColumn column: String) -> Value {
        guard ["id", "habit"].contains(column), case .text(let id) = self else { return self }
        guard id.count > Self.idLength else { return self }
        return .text("\(id.prefix(Self.idLength - 1))…")
    }

    /// Returns a number, or null for `nil`.
    fileprivate static func number(_ value: Double?) -> Value {
        guard let value else { return .null }
        return .number(value)
    }
}
