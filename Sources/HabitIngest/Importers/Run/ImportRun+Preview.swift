import Base
import HabitModel
import StoreEngine

/// The previews of the records that a dry run would store.
extension ImportRun {
    /// Adds a record to the first records of its kind, for an import that stores nothing.
    func preview(_ record: Record, _ kind: RecordKind) {
        guard options.isDryRun, summary.previews.count(where: { $0.kind == kind }) < ImportSummary.previewCount else {
            return
        }
        summary.previews.append(ImportSummary.Preview(kind: kind, values: record.preview))
    }
}

extension ImportSummary {
    /// Returns the previews of a record kind as a table, or `nil` without previews of the kind.
    public func previewTable(of kind: RecordKind) -> (rows: [ValueRow], shape: ResultShape)? {
        let records = previews.filter { $0.kind == kind }
        guard let first = records.first else { return nil }
        let columns = first.values.enumerated().map { index, value in Column(value.key, .any, at: index) }
        let rows = records.map { record in ValueRow(record.values.map { $0.value }) }
        return (rows, ResultShape(columns: columns))
    }
}

extension Record {
    /// The values of the record in a preview, by the names of their columns.
    fileprivate var preview: KeyValuePairs<String, Value> {
        switch self {
        case .habit(let habit):
            [
                "id": .text(habit.id), "title": .text(habit.title), "schedule": .text(habit.schedule.description),
                "start": .text(habit.start.value?.description), "end": .text(habit.end.value?.description),
                "reason": .text(habit.reason.value),
            ]
        case .event(let event):
            [
                "habit": .text(event.habit), "day": .text(event.day?.description),
                "at": .text(event.at.value?.description), "outcome": .text(event.outcome.value?.rawValue),
                "amount": Self.number(event.details.amount.value), "comment": .text(event.details.comment.value),
                "longitude": Self.number(event.details.position.value?.longitude),
                "latitude": Self.number(event.details.position.value?.latitude),
            ]
        case .post(let post):
            [
                "id": .text(post.id), "at": .text(post.postedAt.value?.description),
                "caption": .text(post.caption.value), "longitude": Self.number(post.position.value?.longitude),
                "latitude": Self.number(post.position.value?.latitude),
                "has_photo": .text(post.photo.value == nil ? "no" : "yes"),
            ]
        // An import creates no other records.
        case .setting, .user, .schedule, .follow, .item, .claim, .message: [:]
        }
    }

    private static func number(_ value: Double?) -> Value { value.map { .number($0) } ?? .null }
}
