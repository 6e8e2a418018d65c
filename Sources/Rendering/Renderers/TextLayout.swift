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
        /// Whether the cells are aligned right.
        var isRight = false
    }

    /// A shown column.
    struct Slot {
        /// The index of the cell in the rows of the table.
        let index: Int
        var width: Int
        /// The minimum width.
        let least: Int
        /// Whether the cells are aligned right.
        let isRight: Bool

        /// Creates the slot of the column at an index.
        init(index: Int, _ content: Content) {
            self.index = index
            width = content.natural
            least = content.least
            isRight = content.isRight
        }

        /// Creates a slot of fixed width, aligned left.
        init(index: Int, width: Int) {
            self.init(index: index, Content(natural: width, least: width))
        }
    }

    /// The number of spaces between two columns.
    static let gap = 2

    /// The maximum width of the table.
    private let limit: Int
    /// The shown columns.
    private(set) var slots: [Slot]
    /// The indexes of the columns that are omitted because the table is too narrow.
    private(set) var hidden: [Int] = []
    /// The indexes of the columns that are omitted because their cells are blank.
    let blank: [Int]
    /// Whether each row is a card.
    private(set) var isCards = false

    /// Creates the layout of a table that is at most `width` terminal columns wide.
    ///
    /// - Parameters:
    ///   - contents: The columns.
    ///   - width: The width of the table.
    ///   - omitsColumns: Whether the table may omit columns.
    init(_ contents: [Content], width: Int, omitsColumns: Bool) {
        limit = width
        var kept = contents.indices.filter { index in !contents[index].isBlank }
        if kept.isEmpty { kept = Array(contents.indices.prefix(1)) }
        blank = contents.indices.filter { index in !kept.contains(index) }
        slots = kept.map { index in Slot(index: index, contents[index]) }
        if omitsColumns { omitColumns() }
        if slots.count == 1 {
            slots[0].width = min(slots[0].width, limit)
        } else if leastWidth > limit {
            isCards = true
        } else {
            shrink()
        }
    }

    /// The number of terminal columns for another column next to the table.
    var freeWidth: Int { limit - width - Self.gap }

    /// Inserts a column before the shown column at a position.
    mutating func insert(_ slot: Slot, at position: Int) {
        slots.insert(slot, at: position)
    }

    /// The width of the table.
    private var width: Int {
        let widths = slots.map(\.width)
        return widths.reduce(gapWidth, +)
    }

    /// The width of the table if each column has its minimum width.
    private var leastWidth: Int {
        let widths = slots.map(\.least)
        return widths.reduce(gapWidth, +)
    }

    private var gapWidth: Int { Self.gap * max(0, slots.count - 1) }

    /// Omits columns from the right until the table fits, except the first.
    private mutating func omitColumns() {
        while slots.count > 1, leastWidth > limit {
            let last = slots.removeLast()
            hidden.insert(last.index, at: 0)
        }
    }

    /// Reduces the widest column that is wider than its minimum, one terminal column at a time, until the table fits.
    private mutating func shrink() {
        var excess = width - limit
        while excess > 0, let widest = widestShrinkable {
            slots[widest].width -= 1
            excess -= 1
        }
    }

    /// The position of the widest column that is wider than its minimum.
    private var widestShrinkable: Int? {
        let shrinkable = slots.indices.filter { position in slots[position].width > slots[position].least }
        return shrinkable.max { first, second in slots[first].width < slots[second].width }
    }
}
