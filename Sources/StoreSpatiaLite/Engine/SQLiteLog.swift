/// The committed changes in a write-ahead log of SQLite (SQLite file format, section 4).
///
/// A reader of another program's database applies them itself, because SQLite needs to write a file next to the database
/// to read the log.
package struct SQLiteLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private let bytes: [UInt8]
    private var pageSize = 0
    /// The offset in the log of the newest committed content of each page, by page number (from 1).
    private var pages: [Int: Int] = [:]
    /// The number of pages of the database after the last commit.
    private var pageCount = 0

    /// Reads the frames up to the last commit.
    ///
    /// Frames after it are changes that were not committed, or that belong to an earlier use of the file.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= Self.headerSize, [0x377f_0682, 0x377f_0683].contains(number(0)) else { return }
        let size = number(8)
        guard (512...1 << 16).contains(size), size & (size - 1) == 0 else { return }
        var checksum = Checksum(isBigEndian: number(0) & 1 == 1)
        checksum.add(bytes[0..<24])
        guard checksum.matches(number(24), number(28)) else { return }
        pageSize = size
        readFrames(&checksum)
    }

    /// Whether the log contains no committed changes.
    package var isEmpty: Bool { pages.isEmpty }

    private mutating func readFrames(_ checksum: inout Checksum) {
        var pending: [Int: Int] = [:]
        var start = Self.headerSize
        while start + Self.frameHeaderSize + pageSize <= bytes.count {
            let content = start + Self.frameHeaderSize
            guard number(start + 8) == number(16), number(start + 12) == number(20) else { return }
            checksum.add(bytes[start..<start + 8])
            checksum.add(bytes[content..<content + pageSize])
            guard checksum.matches(number(start + 16), number(start + 20)) else { return }
            pending[number(start)] = content
            let count = number(start + 4)
            if count > 0 {
                pages.merge(pending) { _, newer in newer }
                pending = [:]
                pageCount = count
            }
            start = content + pageSize
        }
    }

    /// Returns the database with the changes.
    ///
    /// A page that neither the database nor the log contains is empty.
    package func applied(to database: [UInt8]) -> [UInt8] {
        // The size of a damaged log is limited by its pages and those of the database.
        let last = pages.keys.max() ?? 0
        let count = min(pageCount, max(last, (database.count + pageSize - 1) / pageSize))
        var result = Array(database.prefix(count * pageSize))
        result.append(contentsOf: repeatElement(0, count: count * pageSize - result.count))
        for (page, content) in pages where (1...max(count, 1)).contains(page) && count > 0 {
            let target = (page - 1) * pageSize
            result.replaceSubrange(target..<target + pageSize, with: bytes[content..<content + pageSize])
        }
        return result
    }

    private func number(_ index: Int) -> Int { bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }

    /// The cumulative checksum of a log.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        /// Adds bytes, whose number is a multiple of 8.
        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for index in stride(from: 0, to: bytes.count, by: 8) {
                    first &+= word(bytes, index) &+ second
                    second &+= word(bytes, index + 4) &+ first
                }
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }

        func matches(_ expectedFirst: Int, _ expectedSecond: Int) -> Bool {
            Int(first) == expectedFirst && Int(second) == expectedSecond
        }
    }
}
