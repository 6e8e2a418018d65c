/// An index of the edges of a ring by latitude.
///
/// A ring has bands of equal height. A band contains the edges that touch it. The number of bands is chosen so that an
/// edge is in six bands on average, at most.
struct EdgeBands: Sendable {
    /// The number of edges up to which a search of all edges is as fast.
    private static let fewEdges = 32

    private let south: Double
    private let north: Double
    /// The number of bands in a degree.
    private let scale: Double
    /// The index in ``edges`` of the first edge of each band, and the number of all edges.
    private let starts: [Int32]
    /// The edges of all bands, as the indices of their first positions.
    private let edges: [Int32]

    /// Creates an index, or returns `nil` if a search of all edges is as fast.
    ///
    /// Cost: O(n) time, and on average up to 24 bytes for each edge.
    init?(_ ring: [Position]) {
        let count = ring.count - 1
        guard count > Self.fewEdges, let south = ring.lazy.map(\.latitude).min(),
            let north = ring.lazy.map(\.latitude).max(), south < north
        else { return nil }
        // A closed ring goes up and down at least once, so this sum is at least twice the height.
        let sum = zip(ring, ring.dropFirst()).reduce(0) { $0 + abs($1.1.latitude - $1.0.latitude) }
        let bands = max(1, Int(4 * Double(count) * ((north - south) / sum)))
        let scale = Double(bands) / (north - south)
        guard scale.isFinite else { return nil }
        (self.south, self.north, self.scale) = (south, north, scale)
        // The function is monotonic. So the band of each latitude of an edge is between the bands of its ends.
        func band(_ latitude: Double) -> Int { min(Int((latitude - south) * scale), bands - 1) }
        func bandsOfEdge(_ edge: Int) -> ClosedRange<Int> {
            let (first, second) = (band(ring[edge].latitude), band(ring[edge + 1].latitude))
            return min(first, second)...max(first, second)
        }
        var starts = [Int32](repeating: 0, count: bands + 1)
        for edge in 0..<count { for band in bandsOfEdge(edge) { starts[band + 1] += 1 } }
        for band in 0..<bands { starts[band + 1] += starts[band] }
        var edges = [Int32](repeating: 0, count: Int(starts[bands]))
        var next = starts
        for edge in 0..<count {
            for band in bandsOfEdge(edge) {
                edges[Int(next[band])] = Int32(edge)
                next[band] += 1
            }
        }
        (self.starts, self.edges) = (starts, edges)
    }

    /// Returns all edges that contain a latitude, and others near it.
    func edges(at latitude: Double) -> ArraySlice<Int32> {
        guard south <= latitude, latitude <= north else { return [] }
        let band = min(Int((latitude - south) * scale), starts.count - 2)
        return edges[Int(starts[band])..<Int(starts[band + 1])]
    }
}
