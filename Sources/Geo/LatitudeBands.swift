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
        guard let south = latitudes.lazy.map(\.lowerBound).min(),
            let north = latitudes.lazy.map(\.upperBound).max(), south < north
        else { return nil }
        let sum = latitudes.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        let most = Double(4 * count)
        let bands = Int(max(1, min(most, most * ((north - south) / sum))))
        let scale = Double(bands) / (north - south)
        guard scale.isFinite else { return nil }
        (self.south, self.north, self.scale) = (south, north, scale)
        // The function is monotonic. So the band of each latitude of an interval is between the bands of its ends.
        func band(_ latitude: Double) -> Int { min(Int((latitude - south) * scale), bands - 1) }
        func bandsOfInterval(_ index: Int) -> ClosedRange<Int> {
            band(latitudes[index].lowerBound)...band(latitudes[index].upperBound)
        }
        var starts = [Int32](repeating: 0, count: bands + 1)
        for index in 0..<count { for band in bandsOfInterval(index) { starts[band + 1] += 1 } }
        for band in 0..<bands { starts[band + 1] += starts[band] }
        var intervals = [Int32](repeating: 0, count: Int(starts[bands]))
        var next = starts
        for index in 0..<count {
            for band in bandsOfInterval(index) {
                intervals[Int(next[band])] = Int32(index)
                next[band] += 1
            }
        }
        (self.starts, self.intervals) = (starts, intervals)
    }

    /// Returns the indices of all intervals that contain a latitude, and of others near it, in ascending order.
    func intervals(at latitude: Double) -> ArraySlice<Int32> {
        guard south <= latitude, latitude <= north else { return [] }
        let band = min(Int((latitude - south) * scale), starts.count - 2)
        return intervals[Int(starts[band])..<Int(starts[band + 1])]
    }
}
