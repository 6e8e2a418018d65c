/// The layout of rows as cards of names and values.
///
/// The values are to the right of their names. If the names are wide, each value is below its name.
struct CardLayout {
    /// The names in the order of the columns.
    let names: [TerminalText]
    /// Whether each value is below its name.
    let isBelow: Bool
    /// The number of spaces before a value.
    let indent: Int

    /// Creates the layout of cards that are at most `width` terminal columns wide.
    init(_ entries: [TextTable.Entry], width: Int) {
        names = entries.map { entry in TerminalText(entry.heading) }
        let valueOffset = names.widest + TextLayout.gap
        isBelow = 3 * valueOffset > 2 * width
        indent = isBelow ? TextLayout.gap : valueOffset
    }
}
