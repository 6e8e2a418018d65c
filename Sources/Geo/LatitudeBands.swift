/// An index of intervals of latitude: the edges of a ring, or the polygons of an area.
///
/// The bands have equal heights. A band contains the intervals that touch it. The number of bands is chosen so that an
/// interval is in six bands on average, at most.
struct LatitudeBands: Sendable {
    /// The number of intervals up to which a search of all intervals is as fast.
    private static let fewIntervals = 32

    private let south: Double
    private let north: Double
    /// The number of bands in a degree.
    private let scale: Double
    /// The index in ``intervals`` of the first interval of each band, and the number of all intervals.
    private let starts: [Int32]
    /// The intervals of all bands, in ascending order in each band.
    private let intervals: [Int32]

    /// Creates an index, or returns `nil` if a search of all intervals is as fast.
    ///
    /// Cost: O(n) time, and on average up to 40 bytes for each interval.
    ///
    /// - Parameters:
    ///   - count: The number of intervals.
    ///   - interval: Returns the interval with an index, from 0.
    init?(count: Int, _ interval: (Int) -> ClosedRange<Double>) {
        guard count > Self.fewIntervals else { return nil }
        let latitudes = (0..<count).map(interval)
        guard let south = latitudes.lazy.map(\.lowerBound).min() else { return nil }
        guard let north = latitudes.lazy.map(\.upperBound).max() else { return nil }
        guard south < north else { return nil }
        let height = north - south
        let bands = Self.bandCount(of: latitudes, height: height)
        let scale = Double(bands) / height
        guard scale.isFinite else { return nil }
        self.south = south
        self.north = north
        self.scale = scale
        // The function is monotonic. So the band of each latitude of an interval is between the bands of its ends.
        func band(_ latitude: Double) -> Int {
            min(Int((latitude - south) * scale), bands - 1)
        }
        let bandsOfIntervals = latitudes.map { interval in
            band(interval.lowerBound)...band(interval.upperBound)
        }
        starts = Self.starts(of: bandsOfIntervals, count: bands)
        intervals = Self.intervals(in: bandsOfIntervals, starts: starts)
    }

    /// Returns the number of bands with which an interval is in at most six bands on average.
    private static func bandCount(of latitudes: [ClosedRange<Double>], height: Double) -> Int {
        let heightOfIntervals = latitudes.reduce(0) { sum, interval in
            let height = interval.upperBound - interval.lowerBound
            return sum + height
        }
        let most = Double(4 * latitudes.count)
        let count = min(most, most * (height / heightOfIntervals))
        return Int(max(1, count))
    }

    /// Returns the index of the first interval of each band, and the number of all intervals.
    private static func starts(of bandsOfIntervals: [ClosedRange<Int>], count: Int) -> [Int32] {
        var starts = [Int32](repeating: 0, count: count + 1)
        for bands in bandsOfIntervals {
            for band in bands {
                starts[band + 1] += 1
            }
        }
        for band in 0..<count {
            starts[band + 1] += starts[band]
        }
        return starts
    }

    /// Returns the intervals of all bands, in ascending order in each band.
    private static func intervals(in bandsOfIntervals: [ClosedRange<Int>], starts: [Int32]) -> [Int32] {
        var intervals = [Int32](repeating: 0, count: Int(starts.last ?? 0))
        var next = starts
        for (interval, bands) in bandsOfIntervals.enumerated() {
            for band in bands {
                intervals[Int(next[band])] = Int32(interval)
                next[band] += 1
            }
        }
        return intervals
    }

    /// Returns the indices of all intervals that contain a latitude, and of others near it, in ascending order.
    func intervals(at latitude: Double) -> ArraySlice<Int32> {
        guard south <= latitude, latitude <= north else { return [] }
        let lastBand = starts.count - 2
        let band = min(Int((latitude - south) * scale), lastBand)
        let start = Int(starts[band])
        let end = Int(starts[band + 1])
        return intervals[start..<end]
    }
}
