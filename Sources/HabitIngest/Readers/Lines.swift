/// Returns the number of line ends in `bytes`: LF, CRLF, or a single CR.
func lineEnds(in bytes: Span<UInt8>) -> Int {
    var counter = LineCounter()
    counter.add(bytes)
    return counter.count
}

/// Returns the column (from 1, in Unicode scalars) of the byte at `offset` in its line.
func columnNumber(of offset: Int, in bytes: Span<UInt8>) -> Int {
    var column = 1
    for index in 0..<offset {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }
    return column
}

/// A counter of line ends in a text that arrives in pieces.
///
/// A CRLF that is split between two pieces counts once.
struct LineCounter {
    private(set) var count = 0
    private var endsWithReturn = false

    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\r") || (byte == UInt8(ascii: "\n") && !endsWithReturn) { count += 1 }
            endsWithReturn = byte == UInt8(ascii: "\r")
        }
    }
}

/// Returns the number of line feeds in `bytes`.
func lineFeeds(in bytes: Span<UInt8>) -> Int {
    var count = 0
    for index in bytes.indices where bytes[index] == ASCII.lineFeed { count &+= 1 }
    return count
}
