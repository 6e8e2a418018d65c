import Geo
import HabitModel
import StoreEngine

/// Writes rows as a Parquet file, or as GeoParquet 1.1 if they have a geometry.
///
/// The declared type of a column determines the type of its Parquet column. The geometry replaces the columns with the
/// coordinates. A row without a geometry has a null. An instant is in UTC, and a second column has its UTC offset in
/// minutes. Memory use depends on the size of a row group, not on the number of rows.
public final class ParquetRenderer: Renderer {
    /// Maximum number of rows in a row group, the same as in DuckDB.
    private static let groupRows = 122_880
    /// Number of bytes of texts after which a row group ends.
    private static let groupBytes = 32 << 20

    /// Number of rows received.
    public private(set) var rowCount = 0
    private let cells: [Cell]
    private let undeclared: [UndeclaredColumn]
    private let geo: GeoParquetColumns?
    private let writer: ParquetWriter
    private var groupRowCount = 0
    private var groupByteCount = 0

    /// The source of one or two Parquet columns in a row.
    private struct Cell {
        // The cells of a row are read without reference counting. The writer owns the columns.
        let column: Unmanaged<ParquetColumn>
        let offset: Unmanaged<ParquetColumn>?
        let source: Source
        let index: Int

        init(_ column: ParquetColumn, _ source: Source, at index: Int, offset: ParquetColumn? = nil) {
            self.column = .passUnretained(column)
            self.offset = offset.map { .passUnretained($0) }
            self.source = source
            self.index = index
        }
    }

    private enum Source {
        case declared(Column.Value)
        case undeclared(Int)
        case geometry(Geometry)
    }

    /// Creates a renderer that writes the columns of `shape` to `output`.
    ///
    /// - Throws: `format-not-available` if two columns have the same name, or if a column has the name of the geometry
    ///   column; `internal` if the compression cannot start.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) throws {
        let geo = shape.geometry.map { _ in GeoParquetColumns(precision: options.precision) }
        let names = Set(shape.columns.map(\.name))
        var (cells, columns, undeclared): ([Cell], [ParquetColumn], [UndeclaredColumn]) = ([], [], [])
        var hasGeometry = false
        for column in shape.columns {
            if let geometry = shape.geometry, let geo, shape.isCoordinate(column) {
                guard !hasGeometry else { continue }
                hasGeometry = true
                cells.append(Cell(geo.columns[0], .geometry(geometry), at: column.index))
                columns += geo.columns
                continue
            }
            let value = ParquetColumn([column.name], ParquetType(column.value))
            columns.append(value)
            if column.value == .any {
                cells.append(Cell(value, .undeclared(undeclared.count), at: column.index))
                undeclared.append(UndeclaredColumn(value))
                continue
            }
            var offset: ParquetColumn?
            if let name = column.offsetName, !names.contains(name) {
                let column = ParquetColumn([name], .int16)
                columns.append(column)
                offset = column
            }
            cells.append(Cell(value, .declared(column.value), at: column.index, offset: offset))
        }
        try Self.check(columns)
        self.cells = cells
        self.undeclared = undeclared
        self.geo = hasGeometry ? geo : nil
        writer = try ParquetWriter(columns, output)
    }

    private static func check(_ columns: [ParquetColumn]) throws {
        let structs = Set(columns.filter { $0.path.count > 1 }.map { $0.path[0] })
        var names: Set<String> = structs
        for column in columns where column.path.count == 1 && !names.insert(column.path[0]).inserted {
            throw HabitError(
                .formatNotAvailable,
                "the rows have two columns '\(column.path[0])', so they cannot be written as parquet: rename one of them, or use csv",
                field: "format")
        }
    }

    /// Appends the beginning of the file.
    public func begin() throws { writer.begin() }

    /// Adds `row` to the current row group, and writes the group if it is complete.
    ///
    /// - Throws: `format-not-available` if a column without a declared type has values of several types; `report-invalid`
    ///   if a text is not a value of the declared type; an error of `OutputBuffer.flush()`.
    public func append(_ row: some Row) throws {
        for cell in cells {
            switch cell.source {
            case .declared(let value):
                let isValid = cell.column._withUnsafeGuaranteedRef { append(value, of: row, at: cell, to: $0) }
                guard isValid else { throw invalid(cell, row) }
            case .undeclared(let number): groupByteCount += try undeclared[number].append(row.value(cell.index))
            case .geometry(let geometry): geo?.append(FeatureGeometry(geometry, of: row))
            }
        }
        rowCount += 1
        groupRowCount += 1
        if groupRowCount >= Self.groupRows || groupByteCount >= Self.groupBytes { try endGroup() }
    }

    /// Appends the value of a declared column, and returns whether it has the declared type.
    @inline(__always)
    private func append(_ value: Column.Value, of row: some Row, at cell: Cell, to column: ParquetColumn) -> Bool {
        let index = cell.index
        switch value {
        case .text, .json:
            let isPresent = row.readText(index) {
                column.append(text: $0)
                groupByteCount += $0.count
            }
            if !isPresent { column.appendNull() }
        case .integer:
            let number = row.integer(index)
            if number == 0, row.isNull(index) { column.appendNull() } else { column.append(number) }
        case .boolean:
            let number = row.integer(index)
            if number == 0, row.isNull(index) { column.appendNull() } else { column.append(number != 0) }
        case .number(let decimals):
            let number = row.number(index)
            if number == 0 && row.isNull(index) || !number.isFinite {
                column.appendNull()
            } else {
                column.append(number.rounded(decimals: decimals))
            }
        case .longitude, .latitude:
            guard let position = row.position(index) else {
                column.appendNull()
                return true
            }
            column.append(value == .longitude ? position.longitude : position.latitude)
        case .day:
            var isValid = true
            let isPresent = row.readText(index) {
                if let day = Day(utf8: $0) { column.append(day.number) } else { isValid = false }
            }
            if !isPresent { column.appendNull() }
            return isValid
        case .instant(let offset):
            let microseconds = row.integer(index)
            guard microseconds != 0 || !row.isNull(index), Self.instants.contains(microseconds) else {
                append(nil, to: column, cell.offset)
                return true
            }
            let minutes = offset.flatMap { row.isNull($0) ? nil : row.integer($0) }
            append((microseconds, minutes), to: column, cell.offset)
        case .instantText:
            var isValid = true
            let isPresent = row.readText(index) {
                guard let instant = OffsetInstant(utf8: $0) else {
                    isValid = false
                    return
                }
                let minutes = instant.offset.map { Int64($0.minutes) }
                append((instant.instant.microseconds, minutes), to: column, cell.offset)
            }
            if !isPresent { append(nil, to: column, cell.offset) }
            return isValid
        case .any: break
        }
        return true
    }

    /// The instants of the years 1 to 9999.
    ///
    /// The text formats write other instants as null, too.
    private static let instants =
        Day.first.startInUTC.microseconds..<Day.last.startInUTC.microseconds + Instant.microsecondsPerDay

    @inline(__always)
    private func append(
        _ instant: (microseconds: Int64, minutes: Int64?)?, to column: ParquetColumn,
        _ offset: Unmanaged<ParquetColumn>?
    ) {
        if let instant { column.append(instant.microseconds) } else { column.appendNull() }
        offset?._withUnsafeGuaranteedRef {
            if let minutes = instant?.minutes {
                $0.append(Int32(truncatingIfNeeded: minutes))
            } else {
                $0.appendNull()
            }
        }
    }

    private func invalid(_ cell: Cell, _ row: some Row) -> HabitError {
        let name = cell.column._withUnsafeGuaranteedRef { $0.path[0] }
        return HabitError(
            .reportInvalid,
            "a value of the column '\(name)' does not have the type that the header declares: correct the type, or CAST the value",
            field: name)
    }

    private func endGroup() throws {
        for column in undeclared { try column.decide() }
        try writer.endGroup()
        (groupRowCount, groupByteCount) = (0, 0)
    }

    /// Writes the last row group and the metadata.
    public func end() throws {
        try endGroup()
        writer.end(geo.map { [("geo", $0.metadata)] } ?? [])
    }
}

extension ParquetType {
    /// Creates the type for the values of a column.
    fileprivate init(_ value: Column.Value) {
        switch value {
        case .text, .any: self = .text
        case .integer: self = .int64
        case .number, .longitude, .latitude: self = .double
        case .boolean: self = .boolean
        case .day: self = .date
        case .instant, .instantText: self = .timestamp
        case .json: self = .json
        }
    }
}

extension Column {
    /// The name of the column with the UTC offset of an instant.
    ///
    /// It is `utc_offset` for `at`, and `posted_utc_offset` for `posted_at`. The result is `nil` if the values have no UTC offset.
    fileprivate var offsetName: String? {
        switch value {
        case .instant(offset: .some), .instantText: break
        default: return nil
        }
        if name == "at" { return "utc_offset" }
        return (name.hasSuffix("_at") ? String(name.dropLast(3)) : name) + "_utc_offset"
    }
}

extension ResultShape {
    /// Whether the geometry of a row contains the value of a column.
    func isCoordinate(_ column: Column) -> Bool {
        column.value == .longitude || column.value == .latitude || coordinates.contains(column.name)
    }
}
