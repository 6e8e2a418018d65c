import StoreEngine

/// The first line `sep=;` of a table, by which Excel declares the delimiter.
struct DelimiterLine {
    let delimiter: UInt8
    /// Number of bytes of the line with its line end.
    let length: Int

    /// Finds the line at the beginning of a text, or returns `nil` if the text begins with another line.
    ///
    /// The line may be quoted.
    init?(_ text: Span<UInt8>) {
        var bytes: [UInt8] = []
        var end = 0
        while end < text.count, text[end] != ASCII.lineFeed, text[end] != ASCII.carriageReturn {
            guard bytes.count < 8 else { return nil }
            bytes.append(text[end])
            end += 1
        }
        if bytes.first == ASCII.quote, bytes.last == ASCII.quote { bytes = Array(bytes.dropFirst().dropLast()) }
        let name = bytes.prefix(4).map { $0 | 0x20 }
        guard bytes.count == 5, name.elementsEqual("sep=".utf8.map { $0 | 0x20 }), bytes[3] == UInt8(ascii: "="),
            end < text.count
        else { return nil }
        let isPair = text[end] == ASCII.carriageReturn && end + 1 < text.count && text[end + 1] == ASCII.lineFeed
        delimiter = bytes[4]
        length = end + (isPair ? 2 : 1)
    }
}
