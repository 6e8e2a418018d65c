import StoreEngine

/// The columns that a text table shows, and their widths in terminal columns.
///
/// If the table is too wide, text columns shrink, the widest first. Their minimum width is 20 while the layout can omit
/// positions or secondary columns, then 10.
///
/// If the table is still too wide, the layout omits complete columns, because many truncated columns are not readable.
/// Positions are omitted first, then secondary columns from the left. Booleans, instants, texts and numbers follow in
/// this order, each from the right. Identity columns are never omitted. As the last step, all columns shrink.
struct TextLayout {
    struct Slot {
        /// The index in the columns of the table.
        let index: Int
        var width: Int
    }

    static let gap = 2
    private static let shortestText = 10
    private static let readableText = 20

    private(set) var slots: [Slot]
    /// The names of the omitted columns.
    ///
    /// If there are any, the header ends with `…`.
    let hidden: [String]

    /// Creates the layout of a table that is at most `width` terminal columns wide.
    ///
    /// - Parameters:
    ///   - columns: The columns of the table.
    ///   - identity: The names of the identity columns. If it is empty, the first column is the identity.
    ///   - natural: The width of each column without truncation, including its header.
    ///   - width: The maximum width of the table.
    init(_ columns: [Column], identity: [String], natural: [Int], width: Int) {
        let natural = natural.map { min($0, width) }
        let isKey = columns.indices.map { identity.isEmpty ? $0 == 0 : identity.contains(columns[$0].name) }
        func floor(_ i: Int, _ shortest: Int) -> Int {
            isKey[i] || !columns[i].value.isText ? natural[i] : min(natural[i], shortest)
        }
        var kept = Array(columns.indices)
        func room() -> Int { kept.count == columns.count ? width : width - Self.gap - 1 }
        func needed(_ shortest: Int) -> Int {
            kept.reduce(0) { $0 + floor($1, columns[$1].isSecondary ? Self.shortestText : shortest) }
                + Self.gap * (kept.count - 1)
        }

        let leastUseful = kept.filter { !isKey[$0] }
            .sorted { a, b in
                let order = columns[a].isSecondary && columns[b].isSecondary ? a < b : a > b
                return (columns[a].displayPriority, order ? 0 : 1) < (columns[b].displayPriority, order ? 1 : 0)
            }
        for (shortest, candidates) in [
            (Self.readableText, leastUseful.filter { columns[$0].displayPriority <= 1 }),
            (Self.shortestText, leastUseful),
        ] {
            for index in candidates where kept.contains(index) && needed(shortest) > room() {
                kept.removeAll { $0 == index || columns[$0].displayPriority == 0 && !isKey[$0] }
            }
        }
        slots = kept.map { Slot(index: $0, width: natural[$0]) }
        hidden = columns.indices.filter { !kept.contains($0) }.map { columns[$0].name }
        shrink(to: room()) { floor($0, Self.readableText) }
        shrink(to: room()) { floor($0, Self.shortestText) }
        shrink(to: room()) { isKey[$0] ? natural[$0] : 1 }
        shrink(to: room()) { _ in 1 }
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
    fileprivate var isText: Bool { self == .text || self == .any }
}

extension Column {
    /// The display priority: columns with a low value are omitted first.
    fileprivate var displayPriority: Int {
        switch value {
        case .longitude, .latitude: 0
        case _ where isSecondary: 1
        case .boolean: 2
        case .instant: 3
        case .text, .json, .any: 4
        case .integer, .number, .day: 5
        }
    }
}
