/// The columns that a text table shows, and their widths in terminal columns.
///
/// If the table is too wide, texts wrap within their columns. If it is too wide even so, the layout omits columns from
/// the right, except the first. The layout is ``isCards`` if that does not suffice: each row is then a card of names and
/// values. No value is truncated.
struct TextLayout {
    /// A column of the table and the widths of its cells.
    struct Content {
        /// The width without wrapping, including the heading.
        var natural: Int
        /// The minimum width.
        var least: Int
        /// Whether all cells are blank and the column may be omitted for it.
        var isBlank = false
    }

    /// A shown column.
    struct Slot: Equatable {
        /// The index in the columns of the table.
        let index: Int
        var width: Int
    }

    /// The number of spaces between two columns.
    static let gap = 2

    /// The shown columns.
    private(set) var slots: [Slot] = []
    /// The indexes of the columns that are omitted because the table is too narrow.
    private(set) var hidden: [Int] = []
    /// Whether each row is a card.
    private(set) var isCards = false

    /// Creates the layout of a table that is at most `width` terminal columns wide.
    ///
    /// - Parameters:
    ///   - contents: The columns.
    ///   - width: The width of the table.
    ///   - omitsColumns: Whether the table may omit columns.
    init(_ contents: [Content], width: Int, omitsColumns: Bool) {
        var kept = contents.indices.filter { !contents[$0].isBlank }
        if kept.isEmpty { kept = Array(contents.indices.prefix(1)) }
        func needed(_ width: (Content) -> Int) -> Int {
            kept.reduce(Self.gap * max(0, kept.count - 1)) { sum, index in sum + width(contents[index]) }
        }
        while omitsColumns, kept.count > 1, needed(\.least) > width { hidden.insert(kept.removeLast(), at: 0) }
        slots = kept.map { index in Slot(index: index, width: contents[index].natural) }
        if kept.count == 1 {
            slots[0].width = min(slots[0].width, width)
        } else if needed(\.least) > width {
            isCards = true
        } else {
            shrink(to: width) { contents[$0].least }
        }
    }

    /// Adds a column of bars after the column at an index.
    mutating func insertBars(at bars: Int, width: Int, after index: Int) {
        guard let place = slots.firstIndex(where: { slot in slot.index == index }) else { return }
        slots.insert(Slot(index: bars, width: width), at: place + 1)
    }

    /// The width of the table.
    var width: Int { slots.reduce(0) { $0 + $1.width } + Self.gap * (slots.count - 1) }

    /// Reduces the widest column that is wider than its minimum, one terminal column at a time, until the table fits.
    private mutating func shrink(to room: Int, least: (Int) -> Int) {
        var excess = width - room
        while excess > 0 {
            let shrinkable = slots.indices.filter { slots[$0].width > least(slots[$0].index) }
            guard let widest = shrinkable.max(by: { slots[$0].width < slots[$1].width }) else { return }
            slots[widest].width -= 1
            excess -= 1
        }
    }
}
