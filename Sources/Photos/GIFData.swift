/// Checks that the data of a GIF frame defines each of its pixels.
///
/// gd decodes only the first frame and fills missing pixels without an error. The check runs the LZW algorithm of
/// GIF89a, appendix F, but stores only the lengths of the strings. So the cost depends on the number of bytes, not on
/// the number of pixels.
struct GIFData {
    /// The clear code.
    ///
    /// The end-of-information code is the next one.
    private let clear: Int
    /// The number of pixels of each code in the table.
    private var lengths: [Int]
    /// The number of pixels of the previous code, or 0 after a clear code.
    private var previous = 0
    /// The number of pixels read.
    private var pixels = 0

    /// Checks the data of a frame.
    ///
    /// - Throws: ``PhotoError`` if the data is invalid, or if its number of pixels differs from the area of the frame.
    static func check(_ bytes: [UInt8], _ frame: PhotoStructure.Frame) throws(PhotoError) {
        var reader = PhotoReader(bytes, frame.data)
        let codeSize = Int(try reader.byte())
        guard (2...8).contains(codeSize) else { throw .damaged("the GIF data is invalid") }
        var data = GIFData(codeSize: codeSize)
        var bits = 0
        var bitCount = 0
        while data.pixels < frame.size.area {
            var rest = Int(try reader.byte())
            guard rest > 0 else { throw .damaged("pixels are missing") }
            while rest > 0 {
                bits |= Int(try reader.byte()) << bitCount
                bitCount += 8
                rest -= 1
                while bitCount >= data.width, data.pixels < frame.size.area {
                    let code = bits & (1 << data.width - 1)
                    try data.take(code, from: &bits, count: &bitCount)
                }
            }
        }
        guard data.pixels == frame.size.area else { throw .damaged("the GIF has more pixels than its size requires") }
    }

    /// Creates an empty code table.
    private init(codeSize: Int) {
        clear = 1 << codeSize
        lengths = Array(repeating: 1, count: clear + 2)
    }

    /// The number of bits of the next code: enough for the first code that is not in the table, and at most 12.
    private var width: Int { Int.bitWidth - min(lengths.count, 4095).leadingZeroBitCount }

    /// Removes one code from the bit buffer and updates the table and the number of pixels.
    private mutating func take(
        _ code: Int, from bits: inout Int, count bitCount: inout Int
    ) throws(PhotoError) {
        bits >>= width
        bitCount -= width
        if code == clear {
            lengths.removeLast(lengths.count - clear - 2)
            previous = 0
            return
        }
        guard code != clear + 1 else { throw .damaged("pixels are missing") }
        let isKnown = code < lengths.count
        guard isKnown || (previous > 0 && code == lengths.count) else {
            throw .damaged("the GIF data is invalid")
        }
        if previous > 0, lengths.count < 4096 { lengths.append(previous + 1) }
        guard code < lengths.count else { throw .damaged("the GIF data is invalid") }
        previous = lengths[code]
        pixels += previous
    }
}
