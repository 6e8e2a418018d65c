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
        guard bytes.count <= Self.maximumSize else {
            return nil
        }
        guard let first = Header(bytes[...]) else {
            return nil
        }
        // The block after the first header has 32-bit times.
        var rest = bytes.dropFirst(Header.size)
        guard first.version >= UInt8(ascii: "2") else {
            guard let body = Body(rest, header: first, timeSize: 4) else {
                return nil
            }
            table = TransitionTable(initial: body.initial, transitions: body.transitions, footer: nil)
            return
        }
        // Since version 2 the file has a second header, a block with 64-bit times and a footer.
        rest = rest.dropFirst(first.bodySize(timeSize: 4))
        guard let second = Header(rest) else {
            return nil
        }
        rest = rest.dropFirst(Header.size)
        guard let body = Body(rest, header: second, timeSize: 8) else {
            return nil
        }
        rest = rest.dropFirst(second.bodySize(timeSize: 8))
        guard let text = Self.footerText(rest) else {
            return nil
        }
        var footer: TimeZoneFooter?
        if !text.isEmpty {
            footer = TimeZoneFooter(text)
            guard footer != nil else {
                return nil
            }
        }
        table = TransitionTable(initial: body.initial, transitions: body.transitions, footer: footer)
    }

    /// Returns the text between the two newlines of the footer (section 3.3), or `nil` if a newline is missing.
    private static func footerText(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let newline = UInt8(ascii: "\n")
        guard bytes.first == newline else {
            return nil
        }
        let text = bytes.dropFirst()
        guard let end = text.firstIndex(of: newline) else {
            return nil
        }
        return text[..<end]
    }

    /// The counts at the beginning of each block (section 3.1).
    private struct Header {
        static let size = 44
        let version: UInt8
        let utCount: Int
        let standardCount: Int
        let leapCount: Int
        let timeCount: Int
        let typeCount: Int
        let characterCount: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= Self.size else {
                return nil
            }
            guard bytes.starts(with: "TZif".utf8) else {
                return nil
            }
            version = bytes[bytes.startIndex + 4]
            utCount = bytes.count(at: 20)
            standardCount = bytes.count(at: 24)
            leapCount = bytes.count(at: 28)
            timeCount = bytes.count(at: 32)
            typeCount = bytes.count(at: 36)
            characterCount = bytes.count(at: 40)
        }

        /// Returns the size of the following block in bytes.
        func bodySize(timeSize: Int) -> Int {
            let transitions = timeCount * (timeSize + 1)
            let types = typeCount * 6
            let leapSeconds = leapCount * (timeSize + 4)
            return transitions + types + characterCount + leapSeconds + standardCount + utCount
        }
    }

    /// The data block (section 3.2).
    private struct Body {
        /// The offset before the first transition, in seconds east of UTC.
        let initial: Int32
        /// The transitions in ascending order.
        let transitions: [Transition]

        init?(_ bytes: ArraySlice<UInt8>, header: Header, timeSize: Int) {
            guard header.typeCount > 0, header.leapCount == 0 else {
                return nil
            }
            guard bytes.count >= header.bodySize(timeSize: timeSize) else {
                return nil
            }
            // The times come first, then the type of each transition, then the types.
            let indexes = header.timeCount * timeSize
            let types = indexes + header.timeCount
            let offsets = (0..<header.typeCount).map { type in
                bytes.integer(at: types + 6 * type, Int32.self)
            }
            // Section 3.2: offsets are more than -25 and less than 26 hours.
            let validOffsets: ClosedRange<Int32> = -89_999...93_599
            guard offsets.allSatisfy(validOffsets.contains) else {
                return nil
            }
            var transitions: [Transition] = []
            transitions.reserveCapacity(header.timeCount)
            for index in 0..<header.timeCount {
                let start = bytes.time(at: timeSize * index, size: timeSize)
                if let last = transitions.last, last.start >= start {
                    return nil
                }
                let type = bytes.integer(at: indexes + index, UInt8.self)
                guard type < offsets.count else {
                    return nil
                }
                let offset = offsets[Int(type)]
                transitions.append(Transition(start: start, offset: offset))
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
        let size = MemoryLayout<Integer>.size
        var value: Integer = 0
        for byte in self[first..<first + size] {
            value = value << 8 | Integer(truncatingIfNeeded: byte)
        }
        return value
    }

    /// Returns the count of four bytes at an offset from the start of the slice.
    fileprivate func count(at offset: Int) -> Int {
        Int(integer(at: offset, UInt32.self))
    }

    /// Returns the time of four or eight bytes at an offset from the start of the slice.
    fileprivate func time(at offset: Int, size: Int) -> Int64 {
        if size == 4 {
            Int64(integer(at: offset, Int32.self))
        } else {
            integer(at: offset, Int64.self)
        }
    }
}
