/// Checks that a GIF frame's data gives each of its pixels. gd decodes the first frame only, and fills up what is
/// missing of it without a word.
///
/// LZW as GIF89a, appendix F, has it; only the lengths of the strings are kept, so the cost is that of the bytes, not
/// of the pixels.
struct GIFData {
    private let clear: Int
    /// How many pixels each code stands for.
    private var lengths: [Int]
    private var previous = 0
    private var pixels = 0

    /// - Throws: ``PhotoError``.
    static func check(_ bytes: [UInt8], _ frame: PhotoStructure.Frame) throws(PhotoError) {
        var reader = PhotoReader(bytes, frame.data)
        let codeSize = Int(try reader.byte())
        guard (2...8).contains(codeSize) else { throw .damaged("its GIF data is not valid") }
        var data = GIFData(codeSize: codeSize)
        var bits = 0
        var bitCount = 0
        while data.pixels < frame.size.area {
            var rest = Int(try reader.byte())
            guard rest > 0 else { throw .damaged("pixels are missing in it") }
            while rest > 0 {
                bits |= Int(try reader.byte()) << bitCount
                bitCount += 8
                rest -= 1
                while bitCount >= data.width, data.pixels < frame.size.area {
                    try data.take(bits & (1 << data.width - 1), &bits, &bitCount)
                }
            }
        }
        guard data.pixels == frame.size.area else { throw .damaged("it has more pixels than it says") }
    }

    private init(codeSize: Int) {
        clear = 1 << codeSize
        lengths = Array(repeating: 1, count: clear + 2)
    }

    /// The bits of the next code: enough for the one that the table lacks, 12 at most.
    private var width: Int { Int.bitWidth - min(lengths.count, 4095).leadingZeroBitCount }

    private mutating func take(_ code: Int, _ bits: inout Int, _ bitCount: inout Int) throws(PhotoError) {
        bits >>= width
        bitCount -= width
        if code == clear {
            lengths.removeLast(lengths.count - clear - 2)
            previous = 0
            return
        }
        guard code != clear + 1 else { throw .damaged("pixels are missing in it") }
        let isKnown = code < lengths.count
        guard isKnown || (previous > 0 && code == lengths.count) else {
            throw .damaged("its GIF data is not valid")
        }
        if previous > 0, lengths.count < 4096 { lengths.append(previous + 1) }
        guard code < lengths.count else { throw .damaged("its GIF data is not valid") }
        previous = lengths[code]
        pixels += previous
    }
}
