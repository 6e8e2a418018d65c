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
        notices = try Tracks.read(options.tracks, options) { add($0) }
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
            let sample = Sample(instant: instant, position: position)
            let next = firstIndex { $0 >= instant }
            if next < instants.count, before[next].map({ $0.instant < instant }) ?? true { before[next] = sample }
            let previous = firstIndex { $0 > instant } - 1
            if previous >= 0, after[previous].map({ $0.instant > instant }) ?? true { after[previous] = sample }
        case .visit(let start, let end, let position, _):
            var index = firstIndex { $0 >= start }
            while index < instants.count, instants[index] <= end {
                if visits[index].map({ $0.instant < start }) ?? true {
                    visits[index] = Sample(instant: start, position: position)
                }
                index += 1
            }
        case .unreadable: break
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
        let index = firstIndex { $0 >= instant }
        guard index < instants.count, instants[index] == instant else { return nil }
        if let visit = visits[index] { return visit.position }
        guard let first = before[index], let second = after[index] else { return nil }
        let length = second.instant.microseconds - first.instant.microseconds
        guard length <= Self.longestGap else { return nil }
        guard length > 0 else { return first.position }
        let share = Double(instant.microseconds - first.instant.microseconds) / Double(length)
        return first.position.interpolated(to: second.position, share)
    }

    /// Returns the index of the first instant that meets a condition, which all later instants meet too.
    private func firstIndex(where condition: (Instant) -> Bool) -> Int {
        var range = 0..<instants.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = condition(instants[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}

extension Position {
    /// Returns the position at a share (0...1) of the way to `other`, linear in longitude and latitude.
    ///
    /// The way crosses the antimeridian if that is shorter. The result has 7 decimals.
    fileprivate func interpolated(to other: Position, _ share: Double) -> Position? {
        var width = other.longitude - longitude
        if width > 180 { width -= 360 }
        if width < -180 { width += 360 }
        var east = longitude + width * share
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        let north = latitude + (other.latitude - latitude) * share
        return Position(longitude: (east * 1e7).rounded() / 1e7, latitude: (north * 1e7).rounded() / 1e7)
    }
}
