/// A list that grows without copying its elements.
///
/// An array needs up to three times the memory of its elements while it grows.
struct SegmentedArray<Element>: RandomAccessCollection, MutableCollection {
    typealias Indices = Range<Int>

    /// Number of elements in each segment, except the last one.
    private static var segmentSize: Int { 1 << 12 }

    private var segments: [[Element]] = []
    private(set) var endIndex = 0

    /// Creates an empty list.
    init() {}

    var startIndex: Int { 0 }

    subscript(position: Int) -> Element {
        get { segments[position / Self.segmentSize][position % Self.segmentSize] }
        set { segments[position / Self.segmentSize][position % Self.segmentSize] = newValue }
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        if endIndex % Self.segmentSize == 0 {
            segments.append([])
            segments[segments.count - 1].reserveCapacity(Self.segmentSize)
        }
        segments[segments.count - 1].append(element)
        endIndex += 1
    }
}
