import StoreEngine

/// The columns that a text table shows, and their widths in terminal columns.
///
/// If the table is too wide, columns shrink, the widest first: IDs to 20, then texts to 20, then IDs to 12, then texts to
/// 10. IDs keep their beginning and their end.
///
/// If the table is still too wide, the layout omits complete columns, because many truncated columns are not readable.
/// Positions are omitted first, then blank columns, then secondary columns from the left, then Booleans. These are
/// omitted before a text or an ID shrinks below 20. Instants, long IDs, numbers, texts, dates and essential columns
/// follow in this order, each from the right. Identity columns are never omitted. As the last step, all columns shrink.
struct TextLayout {
    struct Slot {
        /// The index in the columns of the table.
        let index: Int
        var width: Int
        /// Whether a cell that is too long keeps its beginning and its end.
        let isID: Bool
    }

    /// A column of the table and the properties of its cells.
    struct Content {
        let column: Column
        /// The width without truncation, including the header.
        var width: Int
        /// Whether the column is part of the identity of a row.
        let isKey: Bool
        /// Whether the cells are IDs.
        let isID: Bool
        /// Whether all cells are blank.
        let isBlank: Bool

        /// Creates the properties of a column.
        ///
        /// - Parameters:
        ///   - column: The column.
        ///   - width: The width without truncation, including the header.
        ///   - isKey: Whether the column is part of the identity of a row.
        ///   - hasSpaces: Whether a cell contains a space. A cell of an ID does not.
        ///   - isNumeric: Whether all cells are numbers.
        ///   - isBlank: Whether all cells are blank.
        init(_ column: Column, width: Int, isKey: Bool, hasSpaces: Bool, isNumeric: Bool, isBlank: Bool) {
            self.column = column
            self.width = width
            self.isKey = isKey
            self.isBlank = isBlank
            isID = column.value.isText && !hasSpaces && !isNumeric && (isKey || width > Limits.readable.id)
        }

        /// Returns the minimum width of the column.
        func floor(_ limits: Limits) -> Int {
            if isID { return min(width, limits.id) }
            return isKey || !column.value.isText ? width : min(width, limits.text)
        }

        /// The display priority: columns with a low value are omitted first.
        var displayPriority: Int {
            if column.isEssential { return 9 }
            switch column.value {
            case .longitude, .latitude: return 0
            case _ where isBlank: return 1
            case _ where column.isSecondary: return 2
            case .boolean: return TextLayout.lastUnreadable
            case .instant: return 4
            case .text, .instantText, .json, .any: return isID && !isKey ? 5 : 7
            case .integer, .number: return 6
            case .day: return 8
            }
        }
    }

    /// The minimum widths of texts and IDs.
    struct Limits {
        let text: Int
        let id: Int

        static let readable = Limits(text: 20, id: 20)
        static let shortest = Limits(text: 10, id: 12)
    }

    static let gap = 2
    /// The maximum display priority of columns that are omitted before a text becomes hard to read.
    private static let lastUnreadable = 3

    private(set) var slots: [Slot]
    /// The names of the omitted columns.
    ///
    /// If there are any, the header ends with `…`.
    let hidden: [String]

    /// Creates the layout of a table that is at most `width` terminal columns wide.
    init(_ contents: [Content], width: Int) {
        let contents = contents.map { content in
            var content = content
            content.width = min(content.width, width)
            return content
        }
        let kept = Self.kept(contents, width: width)
        slots = kept.map { Slot(index: $0, width: contents[$0].width, isID: contents[$0].isID) }
        hidden = contents.indices.filter { !kept.contains($0) }.map { contents[$0].column.name }
        let room = Self.room(kept, contents, width)
        shrink(to: room) { contents[$0].isID ? contents[$0].floor(.readable) : contents[$0].width }
        shrink(to: room) { contents[$0].floor(.readable) }
        shrink(to: room) { contents[$0].floor(contents[$0].isID ? .shortest : .readable) }
        shrink(to: room) { contents[$0].floor(.shortest) }
        shrink(to: room) { contents[$0].isKey ? contents[$0].floor(.shortest) : 1 }
        shrink(to: room) { _ in 1 }
    }

    /// Returns the indexes of the columns that fit with their minimum widths.
    private static func kept(_ contents: [Content], width: Int) -> [Int] {
        var kept = Array(contents.indices)
        func needed(_ limits: Limits) -> Int {
            kept.reduce(gap * (kept.count - 1)) { sum, index in
                sum + contents[index].floor(contents[index].column.isSecondary ? .shortest : limits)
            }
        }
        let leastUseful = kept.filter { !contents[$0].isKey }
            .sorted { a, b in
                let order = contents[a].column.isSecondary && contents[b].column.isSecondary ? a < b : a > b
                return (contents[a].displayPriority, order ? 0 : 1) < (contents[b].displayPriority, order ? 1 : 0)
            }
        for (limits, candidates) in [
            (Limits.readable, leastUseful.filter { contents[$0].displayPriority <= lastUnreadable }),
            (Limits.shortest, leastUseful),
        ] {
            for index in candidates where kept.contains(index) && needed(limits) > room(kept, contents, width) {
                // A latitude without its longitude is useless.
                kept.removeAll { $0 == index || contents[$0].displayPriority == 0 && !contents[$0].isKey }
            }
        }
        return kept
    }

    /// Returns the width that the columns can use: the header of a table with omitted columns ends with `…`.
    private static func room(_ kept: [Int], _ contents: [Content], _ width: Int) -> Int {
        kept.count == contents.count ? width : width - gap - 1
    }

    private var width: Int { slots.reduce(0) { $0 + $1.width } + Self.gap * (slots.count - 1) }

    /// Reduces the widest column that is wider than its minimum, one terminal column at a time, until the table fits.
    private mutating func shrink(to room: Int, floor: (Int) -> Int) {
        while width > room {
            let shrinkable = slots.indices.filter { slots[$0].width > floor(slots[$0].index) }
            guard let widest = shrinkable.max(by: { slots[$0].width < slots[$1].width }) else { return }
            slots[widest].width -= 1
        }
    }
}

extension Column.Value {
    fileprivate var isText: Bool { self == .text || self == .instantText || self == .any }
}
