import Base
import HabitModel

extension ImportFile {
    /// Calls `body` with each line of a text and its number (from 1), without line ends and without a byte order mark.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of a line in bytes.
    ///   - body: A closure that receives a line. U+FFFD replaces bytes that are not UTF-8.
    /// - Throws: `record-too-long`, an error of reading the file, or the error of `body`.
    func forEachLine(limit: Int = 1 << 20, _ body: (String, Int) throws -> Void) throws {
        let source = try open()
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var rest: [UInt8] = []
        var number = 1
        func finish() throws {
            if number == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
            try body(String(decoding: rest, as: UTF8.self), number)
            rest.removeAll(keepingCapacity: true)
            number += 1
        }
        var endsWithReturn = false
        while true {
            let count = try source.read(into: &block)
            if count == 0 { break }
            for byte in block[..<count] {
                if byte == ASCII.lineFeed, endsWithReturn {
                    endsWithReturn = false
                    continue
                }
                endsWithReturn = byte == ASCII.carriageReturn
                if byte == ASCII.lineFeed || endsWithReturn {
                    try finish()
                } else {
                    rest.append(byte)
                    guard rest.count <= limit else {
                        throw HabitError(
                            .recordTooLong, "a line has more than \(limit) bytes", file: displayName, line: number)
                    }
                }
            }
        }
        if !rest.isEmpty { try finish() }
    }
}
