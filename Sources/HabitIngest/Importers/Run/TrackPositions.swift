import Base
import Geo
import HabitModel

/// The positions of a track at given instants.
///
/// The track is read once, in any order. Only the points that surround the instants are in memory.
struct TrackPositions {
    /// Maximum time between two points for an interpolation: 10 minutes, in microseconds.
    private static let longestGap: Int64 = 600_000_000

    private struct Sample {
        var instant: Instant
        var position: Position

        /// Whether the sample is later than `other`, or `other` is `nil`.
        func isLater(than other: Sample?) -> Bool {
            guard let other else { return true }
            return instant > other.instant
        }

        /// Whether the sample is earlier than `other`, or `other` is `nil`.
        func isEarlier(than other: Sample?) -> Bool {
            guard let other else { return true }
            return instant < other.instant
        }
    }

    /// The instants in ascending order, without repetitions.
    private let instants: [Instant]
    /// The latest point up to each instant, among the points after the previous instant.
    private var before: [Sample?]
    /// The earliest point from each instant on, among the points before the next instant.
    private var after: [Sample?]
    /// The visit with the latest start that contains each instant.
    private var visits: [Sample?]
    /// The notices for points that cannot be read.
    private(set) var notices: [ImportNotice] = []

    /// Reads the tracks of the options.
    ///
    /// - Parameters:
    ///   - instants: The instants whose positions are needed.
    ///   - options: The options of the import, which contain the paths of the tracks.
    /// - Throws: An error of a track, or `format-mismatch` if an input has no track.
    init(of instants: [Instant], from options: ImportOptions) throws {
        self.init(instants)
        notices = try Tracks.read(options.tracks, options: options) { add($0) }
        complete()
    }

    /// Creates a reader for instants.
    ///
    /// Call ``complete()`` after the last item.
    init(_ instants: [Instant]) {
        self.instants = Set(instants).sorted()
        before = Array(repeating: nil, count: self.instants.count)
        after = before
        visits = before
    }

    /// Adds an item of a track.
    mutating func add(_ item: TrackItem) {
        switch item {
        case .point(let instant, let position, _):
            addPoint(Sample(instant: instant, position: position))
        case .visit(let start, let end, let position, _):
            addVisit(Sample(instant: start, position: position), until: end)
        case .unreadable: break
        }
    }

    private mutating func addPoint(_ point: Sample) {
        let next = firstIndex { instant in instant >= point.instant }
        if next < instants.count, point.isLater(than: before[next]) {
            before[next] = point
        }
        let previous = firstIndex { instant in instant > point.instant } - 1
        if previous >= 0, point.isEarlier(than: after[previous]) {
            after[previous] = point
        }
    }

    private mutating func addVisit(_ visit: Sample, until end: Instant) {
        var index = firstIndex { instant in instant >= visit.instant }
        while index < instants.count, instants[index] <= end {
            if visit.isLater(than: visits[index]) { visits[index] = visit }
            index += 1
        }
    }

    /// Extends the points to all instants that they surround.
    mutating func complete() {
        for index in instants.indices.dropFirst() {
            if before[index] == nil { before[index] = before[index - 1] }
        }
        for index in instants.indices.dropLast().reversed() {
            if after[index] == nil { after[index] = after[index + 1] }
        }
    }

    /// The position at one of the instants, or `nil` if it is unknown.
    subscript(instant: Instant) -> Position? {
        let index = firstIndex { other in other >= instant }
        guard index < instants.count, instants[index] == instant else { return nil }
        if let visit = visits[index] { return visit.position }
        guard let first = before[index], let second = after[index] else { return nil }
        let start = first.instant.microseconds
        let length = second.instant.microseconds - start
        guard length <= Self.longestGap else { return nil }
        guard length > 0 else { return first.position }
        let share = Double(instant.microseconds - start) / Double(length)
        return first.position.interpolated(to: second.position, share)
    }

    /// Returns the index of the first instant that meets a condition, which all later instants meet too.
    private func firstIndex(where condition: (Instant) -> Bool) -> Int {
        var range = 0..<instants.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if condition(instants[middle]) {
                range = range.lowerBound..<middle
            } else {
                range = middle + 1..<range.upperBound
            }
        }
        return range.lowerBound
    }
}

extension Position {
    /// Returns the position at a share (0...1) of the way to `other`, linear in longitude and latitude.
    ///
    /// The way crosses the antimeridian if that is shorter. The result has 7 decimals.
    fileprivate func interpolated(to other: Position, _ share: Double) -> Position? {
        let width = Self.wrapped(other.longitude - longitude)
        let east = Self.wrapped(longitude + width * share)
        let north = latitude + (other.latitude - latitude) * share
        return Position(longitude: Self.rounded(east), latitude: Self.rounded(north))
    }

    /// Returns an angle in -180...180 degrees, from one in -540...540.
    private static func wrapped(_ degrees: Double) -> Double {
        if degrees > 180 { return degrees - 360 }
        if degrees < -180 { return degrees + 360 }
        return degrees
    }

    /// Rounds an angle to 7 decimals.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
