/// The transitions of a TZif file (RFC 9636, versions 1 to 4).
///
/// No input traps. A file that violates the format is not a time zone.
struct TZifFile {
    /// The transitions and the rules of the file.
    let table: TransitionTable

    /// Maximum file size in bytes.
    ///
    /// Files of tzdata have fewer than 4,000 bytes.
    static let maximumSize = 1 << 18

    /// Parses a file.
    ///
    /// Returns `nil` if `bytes` are not a TZif file, or if the file counts leap seconds, which ``Instant`` does not
    /// count.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize, let first = Header(bytes[...]) else { return nil }
        // The block after the first header has 32-bit times.
        var block = bytes[(bytes.startIndex + Header.size)...]
        guard first.version >= UInt8(ascii: "2") else {
            guard let body = Body(block, first, timeSize: 4) else { return nil }
            table = TransitionTable(initial: body.initial, transitions: body.transitions, footer: nil)
            return
        }
        // Since version 2 the file has a second header, a block with 64-bit times and a footer.
        block = block.dropFirst(first.bodySize(timeSize: 4))
        guard let second = Header(block) else { return nil }
        block = block.dropFirst(Header.size)
        guard let body = Body(block, second, timeSize: 8) else { return nil }
        block = block.dropFirst(second.bodySize(timeSize: 8))
        let newline = UInt8(ascii: "\n")
        guard block.first == newline, let end = block.dropFirst().firstIndex(of: newline) else { return nil }
        let text = block[(block.startIndex + 1)..<end]
        let footer = text.isEmpty ? nil : TimeZoneFooter(text)
        guard text.isEmpty || footer != nil else { return nil }
        table = TransitionTable(initial: body.initial, transitions: body.transitions, footer: footer)
    }

    /// The counts at the beginning of each block (section 3.1).
    private struct Header {
        static let size = 44
        let version: UInt8
        let utCount, standardCount, leapCount, timeCount, typeCount, characterCount: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= Self.size, bytes.starts(with: "TZif".utf8) else { return nil }
            version = bytes[bytes.startIndex + 4]
            let counts = (0..<6).map { Int(bytes.integer(at: 20 + 4 * $0, UInt32.self)) }
            utCount = counts[0]
            standardCount = counts[1]
            leapCount = counts[2]
            timeCount = counts[3]
            typeCount = counts[4]
            characterCount = counts[5]
        }

        /// Returns the size of the following block in bytes.
        func bodySize(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + standardCount
                + utCount
        }
    }

    /// The data block (section 3.2).
    private struct Body {
        /// The offset before the first transition, in seconds east of UTC.
        let initial: Int32
        /// The transitions in ascending order.
        let transitions: [Transition]

        init?(_ bytes: ArraySlice<UInt8>, _ header: Header, timeSize: Int) {
            guard header.typeCount > 0, header.leapCount == 0, bytes.count >= header.bodySize(timeSize: timeSize)
            else { return nil }
            let types = header.timeCount * (timeSize + 1)
            let offsets = (0..<header.typeCount).map { bytes.integer(at: types + 6 * $0, Int32.self) }
            // Section 3.2: offsets are more than -25 and less than 26 hours.
            guard offsets.allSatisfy({ (-89_999...93_599).contains($0) }) else { return nil }
            var transitions: [Transition] = []
            transitions.reserveCapacity(header.timeCount)
            for index in 0..<header.timeCount {
                let start =
                    timeSize == 4
                    ? Int64(bytes.integer(at: 4 * index, Int32.self)) : bytes.integer(at: 8 * index, Int64.self)
                let type = Int(bytes.integer(at: header.timeCount * timeSize + index, UInt8.self))
                guard type < offsets.count, transitions.last.map({ $0.start < start }) ?? true else { return nil }
                transitions.append(Transition(start: start, offset: offsets[type]))
            }
            initial = offsets[0]
            self.transitions = transitions
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the big-endian integer `offset` bytes after the start of the slice, which must contain all its bytes.
    fileprivate func integer<Integer: FixedWidthInteger>(at offset: Int, _ type: Integer.Type) -> Integer {
        let first = startIndex + offset
        return self[first..<first + MemoryLayout<Integer>.size].reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
    }
}
