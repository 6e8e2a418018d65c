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
    }

    private(set) var entries: [Entry]
    /// Whether a table that is too narrow may omit columns.
    let omitsColumns: Bool

    /// Creates the columns of a table.
    ///
    /// - Parameter shape: The columns of the rows.
    init(_ shape: ResultShape) {
        omitsColumns = !shape.isSelected && !shape.columns.allSatisfy { $0.value == .any }
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
        if !shape.isSelected { entries.removeAll { $0.column.measure == .color } }
        finish(shape)
    }

    /// Returns all columns with the columns that only texts have.
    private static func all(_ shape: ResultShape) -> [Entry] {
        let names = Set(shape.columns.map(\.name))
        let columns = shape.columns.map { column in shape.textColumn(column.name) ?? column }
        let added = shape.textColumns.filter { column in !names.contains(column.name) }
        return (columns + added).map { column in Entry(column: column, heading: shape.heading(of: column)) }
    }

    /// Returns the columns of a shape that declares no table: no colors, and no ID next to its title.
    private static func defaults(_ shape: ResultShape) -> [Entry] {
        let names = Set(shape.columns.map(\.name))
        var omitted: Set<String> = []
        if names.contains("title") { omitted.insert("habit") }
        if names.contains("name") { omitted.insert("item") }
        return all(shape).compactMap { entry in
            guard entry.column.measure != .color, !omitted.contains(entry.column.name) else { return nil }
            var entry = entry
            entry.isOptional = entry.column.value != .any
            return entry
        }
    }

    private static func declared(_ shape: ResultShape) -> [Entry] {
        let place = placeColumn(of: shape)
        return shape.table.compactMap { declared in
            let named = shape.columns.first { $0.name == declared.name }
            let column = shape.textColumn(declared.name) ?? named ?? (declared.name == "place" ? place : nil)
            guard let column else { return nil }
            return Entry(column: column, heading: shape.heading(of: column), isOptional: declared.isOptional)
        }
    }

    private mutating func finish(_ shape: ResultShape) {
        if !shape.showsCoordinates { mergeCoordinates(shape) }
        let unit = shape.columns.first { $0.measure == .unit }
        let amounts = entries.map(\.column).filter { $0.measure == .amount }
        let keys = Set(shape.identity.map(\.name))
        for index in entries.indices {
            let column = entries[index].column
            entries[index].isKey = keys.contains(column.name)
            if column.measure == .amount { entries[index].unit = unit }
            if column.measure == .unit { entries[index].amounts = amounts }
        }
    }

    /// Replaces the columns of the longitude and the latitude by one column.
    private mutating func mergeCoordinates(_ shape: ResultShape) {
        guard let place = Self.placeColumn(of: shape) else { return }
        let names = Self.coordinates(of: shape)
        guard let index = entries.firstIndex(where: { names.contains($0.column.name) }) else { return }
        let merged = entries.filter { names.contains($0.column.name) }
        guard merged.count == 2 else { return }
        entries[index] = Entry(column: place, heading: place.name, isOptional: entries[index].isOptional)
        entries.removeAll { names.contains($0.column.name) }
    }

    /// Returns the names of the columns with the longitude and the latitude of the rows.
    private static func coordinates(of shape: ResultShape) -> [String] {
        if !shape.coordinates.isEmpty { return shape.coordinates }
        return shape.columns.filter { $0.value == .longitude || $0.value == .latitude }.map(\.name)
    }

    private static func placeColumn(of shape: ResultShape) -> Column? {
        let index: Int
        if let longitude = shape.columns.first(where: { $0.value == .longitude }) {
            index = longitude.index
        } else if case .point(let point) = shape.geometry, !shape.coordinates.isEmpty {
            index = point
        } else {
            return nil
        }
        // The places of a report are called as the report calls them.
        let isNamed = shape.columns.contains { $0.name == "place" }
        return Column(isNamed ? "position" : "place", .longitude, at: index, measure: .place)
    }
}
