import Base
import Geo
import HabitModel

/// The days on which a track arrives at a position and stays there.
///
/// The track is read once. A stay is a part of the track in which all points are within a distance, consecutive points
/// are at most 10 minutes apart, and the last point follows the first one after at least a given time. A visit within
/// the distance is a stay if it has at least this length.
///
/// Points may be in any order within ``capacity`` points. A point that is older than all these points begins a new part of
/// the track, so files of different times may follow each other in any order. The memory use depends on the number of
/// days with a stay, and not on the length of the track.
public struct TrackStays {
    /// The arrival at the position on one day.
    public struct Arrival: Sendable, Equatable {
        /// The date of the arrival at the offset of the track, or in the time zone if the track has no offset.
        public var day: Day
        /// The instant of the arrival with the offset of the track.
        public var at: OffsetInstant
    }

    private struct Sample {
        var instant: Instant
        var offset: UTCOffset?
        var isInside: Bool
    }

    /// Maximum time between two points of a stay: 10 minutes, in microseconds.
    private static let longestGap: Int64 = 600_000_000
    /// The number of points that are sorted together.
    static let capacity = 1 << 17

    private let origin: Geodesic.Origin
    private let distance: Distance
    /// The minimum length of a stay, in microseconds.
    private let length: Int64
    private let zone: TimeZoneRules

    /// The points that are not yet sorted.
    private var waiting: [Sample] = []
    /// The instant of the last sorted point.
    private var last: Instant?
    /// The first and the last point of the current stay.
    private var stay: (arrival: Sample, last: Instant)?
    /// The notices for points that cannot be read.
    public private(set) var notices: [ImportNotice] = []
    /// The first arrival of each day.
    private var arrivalByDay: [Day: OffsetInstant] = [:]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - distance: The maximum distance from the position, which is included.
    ///   - length: The minimum length of a stay.
    ///   - zone: The time zone that determines the day of an arrival without an offset.
    public init(near position: Position, within distance: Distance, atLeast length: Duration, in zone: TimeZoneRules) {
        origin = Geodesic.Origin(position)
        self.distance = distance
        let components = length.components
        self.length = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        self.zone = zone
    }

    /// Reads tracks of any format that has tracks.
    ///
    /// - Parameters:
    ///   - paths: Files, folders, and `-` for the standard input.
    ///   - limit: The limit for bytes that are unpacked from archives and gzip files.
    /// - Throws: `input-not-found`, `format-not-recognised`, `format-mismatch` if an input has no track, or an error of a
    ///   damaged input.
    public mutating func read(_ paths: [String], limit: UnpackLimit = UnpackLimit()) throws {
        var options = ImportOptions()
        options.unpackLimit = limit
        options.timeZone = zone
        notices += try Tracks.read(paths, options: options) { add($0) }
        complete()
    }

    /// The first arrival of each day, in the order of the days.
    ///
    /// Call ``read(_:)`` before.
    public var arrivals: [Arrival] {
        let arrivals = arrivalByDay.map { day, at in Arrival(day: day, at: at) }
        return arrivals.sorted { first, second in first.day < second.day }
    }

    // MARK: Items

    /// Adds an item of a track.
    ///
    /// Call ``complete()`` after the last item.
    mutating func add(_ item: TrackItem) {
        switch item {
        case .point(let instant, let position, let offset):
            add(Sample(instant: instant, offset: offset, isInside: isInside(position)))
        case .visit(let start, let end, let position, let offset):
            let isLongEnough = end.microseconds - start.microseconds >= length
            guard isLongEnough, start <= end, isInside(position) else { return }
            record(Sample(instant: start, offset: offset, isInside: true))
        case .unreadable: break
        }
    }

    /// Finds the stays at the end of the track.
    mutating func complete() {
        waiting.sort(by: Self.isInOrder)
        for sample in waiting { continueStay(with: sample) }
        waiting = []
        last = nil
        stay = nil
    }

    private func isInside(_ position: Position) -> Bool { origin.distance(to: position) <= distance }

    /// Orders samples by time.
    ///
    /// A sample within the distance precedes a simultaneous sample outside it.
    private static func isInOrder(_ a: Sample, _ b: Sample) -> Bool {
        a.instant == b.instant ? a.isInside && !b.isInside : a.instant < b.instant
    }

    private mutating func add(_ sample: Sample) {
        if let last, sample.instant < last { complete() }
        waiting.append(sample)
        guard waiting.count >= Self.capacity else { return }
        waiting.sort(by: Self.isInOrder)
        // The rest may precede the next points.
        let count = waiting.count / 2
        for sample in waiting.prefix(count) { continueStay(with: sample) }
        waiting.removeFirst(count)
    }

    /// Continues the current stay with the next point in time.
    private mutating func continueStay(with sample: Sample) {
        last = sample.instant
        guard sample.isInside else {
            stay = nil
            return
        }
        var arrival = sample
        if let stay, Self.gap(from: stay.last, to: sample.instant) <= Self.longestGap {
            arrival = stay.arrival
        }
        stay = (arrival, last: sample.instant)
        if Self.gap(from: arrival.instant, to: sample.instant) >= length { record(arrival) }
    }

    /// Returns the time between two instants, in microseconds.
    private static func gap(from first: Instant, to second: Instant) -> Int64 {
        second.microseconds - first.microseconds
    }

    /// Records an arrival, unless the day has an earlier one.
    private mutating func record(_ arrival: Sample) {
        let time = ImportTime.instant(arrival.instant, offset: arrival.offset)
        // An instant outside the years 1 to 9999 has no day.
        guard let resolved = try? time.resolved(in: zone), let at = resolved.at else { return }
        if let earlier = arrivalByDay[resolved.day], earlier.instant <= at.instant { return }
        arrivalByDay[resolved.day] = at
    }
}
