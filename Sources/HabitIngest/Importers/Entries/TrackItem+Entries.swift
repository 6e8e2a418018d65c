import Base
import Geo
import HabitModel

extension TrackItem {
    /// Returns the point of a JSON document, or `nil` if its time or position is missing.
    ///
    /// - Parameters:
    ///   - time: The instant of the point.
    ///   - position: The position.
    ///   - defaultOffset: The UTC offset of an instant without one.
    /// - Returns: The point. It is unreadable if a value is invalid.
    static func point(
        _ time: EntryTime, _ position: EntryPosition, defaultOffset: UTCOffset? = nil
    ) -> TrackItem? {
        if let text = unreadable([time], position) { return .unreadable(text) }
        guard let instant = time.instant, let position = position.value else { return nil }
        return .point(instant, position, offset: time.offset ?? defaultOffset)
    }

    /// Returns the visit of a JSON document, or `nil` if its times or its position are missing.
    ///
    /// - Parameters:
    ///   - start: The instant of the beginning.
    ///   - end: The instant of the end.
    ///   - position: The position.
    /// - Returns: The visit. It is unreadable if a value is invalid.
    static func visit(from start: EntryTime, to end: EntryTime, _ position: EntryPosition) -> TrackItem? {
        if let text = unreadable([start, end], position) { return .unreadable(text) }
        guard let first = start.instant, let last = end.instant, let position = position.value else { return nil }
        return .visit(from: first, to: last, position, offset: start.offset)
    }

    /// Returns the first invalid time, an empty text for an invalid position, or `nil` if no value is invalid.
    private static func unreadable(_ times: [EntryTime], _ position: EntryPosition) -> String? {
        for case .invalid(let text) in times { return text }
        guard case .invalid(let error) = position, error.code == .positionInvalid else { return nil }
        return ""
    }
}
