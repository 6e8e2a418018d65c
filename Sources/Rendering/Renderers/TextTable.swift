import StoreEngine

/// The columns of a text for people, and their headings.
struct TextTable {
    /// A column of the text.
    struct Entry {
        var column: Column
        var heading: String
        /// Whether the text omits the column if no row has a value.
        var isOptional = false
        /// Whether the values identify rows, so that they stay on one line.
        var isKey = false
        /// The column with the unit of an amount.
        var unit: Column?
        /// The columns with the amounts of a unit.
        var amounts: [Column] = []

        /// Whether the values are colors, which people read as the name of a status.
        var isColor: Bool { column.measure == .color }
    }

    private(set) var entries: [Entry]
    /// Whether a table that is too narrow may omit columns.
    let omitsColumns: Bool

    /// Creates the columns of a table.
    ///
    /// - Parameter shape: The columns of the rows.
    init(_ shape: ResultShape) {
        let isUntyped = shape.columns.allSatisfy { column in
            column.value == .any
        }
        omitsColumns = !shape.isSelected && !isUntyped
        if shape.isSelected {
            entries = Self.all(shape)
        } else if shape.table.isEmpty {
            entries = Self.defaults(shape)
        } else {
            entries = Self.declared(shape)
        }
        finish(shape)
    }

    /// Creates the columns of a card, which are all columns except colors.
    ///
    /// - Parameter shape: The columns of the row.
    init(cardOf shape: ResultShape) {
        omitsColumns = false
        entries = Self.all(shape)
        if !shape.isSelected {
            entries.removeAll(where: \.isColor)
        }
        finish(shape)
    }

    // MARK: Choice of the columns

    /// Returns all columns with the columns that only texts have.
    private static func all(_ shape: ResultShape) -> [Entry] {
        let columns = shape.columns.map { column in
            shape.textColumn(column.name) ?? column
        }
        let added = shape.textColumns.filter { column in
            shape.column(named: column.name) == nil
        }
        return (columns + added).map { column in
            Entry(column: column, heading: shape.heading(of: column))
        }
    }

    /// Returns the columns of a shape that declares no table: no colors, and no ID next to its title.
    private static func defaults(_ shape: ResultShape) -> [Entry] {
        let hasTitle = shape.column(named: "title") != nil
        let hasName = shape.column(named: "name") != nil
        var entries: [Entry] = []
        for var entry in all(shape) where !entry.isColor {
            let column = entry.column
            if hasTitle, column.name == "habit" { continue }
            if hasName, column.name == "item" { continue }
            entry.isOptional = column.value != .any
            entries.append(entry)
        }
        return entries
    }

    /// Returns the columns of the table that a shape declares.
    private static func declared(_ shape: ResultShape) -> [Entry] {
        shape.table.compactMap { declared in
            guard let column = column(declared, of: shape) else { return nil }
            return Entry(
                column: column,
                heading: shape.heading(of: column),
                isOptional: declared.isOptional)
        }
    }

    private static func column(_ declared: TableColumn, of shape: ResultShape) -> Column? {
        let name = declared.name
        if let column = shape.textColumn(name) { return column }
        if let column = shape.column(named: name) { return column }
        return name == "place" ? shape.placeColumn : nil
    }

    // MARK: Relations of the columns

    private mutating func finish(_ shape: ResultShape) {
        if !shape.showsCoordinates { mergeCoordinates(shape) }
        markKeys(shape)
        connectUnits(shape)
    }

    private mutating func markKeys(_ shape: ResultShape) {
        let keys = shape.identity.map(\.name)
        for index in entries.indices {
            let name = entries[index].column.name
            entries[index].isKey = keys.contains(name)
        }
    }

    /// Connects the columns of amounts with the column of their unit.
    private mutating func connectUnits(_ shape: ResultShape) {
        let columns = entries.map(\.column)
        let amounts = columns.filter { column in
            column.measure == .amount
        }
        let unit = shape.columns.first { column in
            column.measure == .unit
        }
        for (index, column) in columns.enumerated() {
            switch column.measure {
            case .amount?: entries[index].unit = unit
            case .unit?: entries[index].amounts = amounts
            default: break
            }
        }
    }

    /// Replaces the columns of the longitude and the latitude by one column.
    private mutating func mergeCoordinates(_ shape: ResultShape) {
        guard let place = shape.placeColumn else { return }
        let names = shape.coordinateNames
        let coordinates = entries.filter { entry in
            names.contains(entry.column.name)
        }
        let first = entries.firstIndex { entry in
            names.contains(entry.column.name)
        }
        guard let first, coordinates.count == 2 else { return }
        entries[first] = Entry(
            column: place,
            heading: place.name,
            isOptional: entries[first].isOptional)
        entries.removeAll { entry in
            names.contains(entry.column.name)
        }
    }
}

extension ResultShape {
    /// Returns the output column of this name, or `nil` if there is no such column.
    func column(named name: String) -> Column? {
        columns.first { column in
            column.name == name
        }
    }

    /// A column with the positions of the rows, or `nil` if the rows have no position.
    fileprivate var placeColumn: Column? {
        guard let index = pointIndex else { return nil }
        // The places of a report are called as the report calls them.
        let isNamed = column(named: "place") != nil
        let name = isNamed ? "position" : "place"
        return Column(name, .longitude, at: index, measure: .place)
    }

    /// The index of the point in the engine's row.
    private var pointIndex: Int? {
        let longitude = columns.first { column in
            column.value == .longitude
        }
        if let longitude { return longitude.index }
        if coordinates.isEmpty { return nil }
        guard case .point(let index) = geometry else { return nil }
        return index
    }

    /// The names of the columns with the longitude and the latitude of the rows.
    fileprivate var coordinateNames: [String] {
        if !coordinates.isEmpty { return coordinates }
        let columns = columns.filter { column in
            column.value == .longitude || column.value == .latitude
        }
        return columns.map(\.name)
    }
}
