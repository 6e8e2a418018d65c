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
        guard bytes.count >= Self.headerSize else { return }
        let magic = number(at: 0)
        guard magic == Self.littleEndianMagic || magic == Self.bigEndianMagic else { return }
        let size = number(at: 8)
        let isPowerOfTwo = size & (size - 1) == 0
        guard (512...1 << 16).contains(size), isPowerOfTwo else { return }
        var checksum = Checksum(isBigEndian: magic == Self.bigEndianMagic)
        checksum.add(bytes[0..<24])
        guard checksum.matches(first: number(at: 24), second: number(at: 28)) else { return }
        pageSize = size
        readFrames(&checksum)
    }

    /// The first number of a log whose checksums use little-endian numbers.
    private static let littleEndianMagic = 0x377f_0682
    /// The first number of a log whose checksums use big-endian numbers.
    private static let bigEndianMagic = 0x377f_0683

    /// Whether the log contains no committed changes.
    package var isEmpty: Bool { pages.isEmpty }

    private mutating func readFrames(_ checksum: inout Checksum) {
        var pending: [Int: Int] = [:]
        var start = Self.headerSize
        while start + Self.frameHeaderSize + pageSize <= bytes.count {
            let content = start + Self.frameHeaderSize
            let isOfLog =
                number(at: start + 8) == number(at: 16)
                && number(at: start + 12) == number(at: 20)
            guard isOfLog else { return }
            checksum.add(bytes[start..<start + 8])
            checksum.add(bytes[content..<content + pageSize])
            guard checksum.matches(first: number(at: start + 16), second: number(at: start + 20)) else { return }
            let page = number(at: start)
            pending[page] = content
            // The number of pages after a commit, or 0 in a frame that does not end a transaction.
            let count = number(at: start + 4)
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
        let lastPage = pages.keys.max() ?? 0
        let pagesOfDatabase = (database.count + pageSize - 1) / pageSize
        let count = min(pageCount, max(lastPage, pagesOfDatabase))
        let size = count * pageSize
        var result = Array(database.prefix(size))
        result.append(contentsOf: repeatElement(0, count: size - result.count))
        for (page, content) in pages where 1 <= page && page <= count {
            let target = (page - 1) * pageSize
            result.replaceSubrange(
                target..<target + pageSize,
                with: bytes[content..<content + pageSize])
        }
        return result
    }

    /// Returns the big-endian number of four bytes at an index.
    private func number(at index: Int) -> Int {
        bytes[index..<index + 4].reduce(0) { number, byte in
            number << 8 | Int(byte)
        }
    }

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
                    first &+= word(of: bytes, at: index) &+ second
                    second &+= word(of: bytes, at: index + 4) &+ first
                }
            }
        }

        private func word(of bytes: UnsafeRawBufferPointer, at index: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }

        func matches(first: Int, second: Int) -> Bool {
            Int(self.first) == first && Int(self.second) == second
        }
    }
}
