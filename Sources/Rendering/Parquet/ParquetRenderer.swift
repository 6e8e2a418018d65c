import Base
import Geo
import StoreEngine

/// Writes rows as a Parquet file, or as GeoParquet 1.1 if they have a geometry.
///
/// The declared type of a column determines the type of its Parquet column. The geometry replaces the columns with the
/// coordinates of a point. A row without a geometry has a null. An instant is in UTC, and a second column has its UTC
/// offset in minutes. Memory use depends on the size of a row group, not on the number of rows.
public final class ParquetRenderer: PartRenderer {
    /// Maximum number of rows in a row group, the same as in DuckDB.
    private static let groupRows = 122_880
    /// Number of bytes of texts after which a row group ends.
    private static let groupBytes = 32 << 20

    /// Number of rows received.
    public private(set) var rowCount = 0
    private let cells: [Cell]
    private let shape: ResultShape
    private let options: RenderOptions
    /// The columns of declared types, without those of the geometry.
    private let declared: [ParquetColumn]
    private let undeclared: [UndeclaredColumn]
    private let geo: GeoParquetColumns?
    /// The writer of the row groups, or `nil` for a part of the rows, which has one row group in memory.
    private let writer: ParquetWriter?
    private var groupRowCount = 0
    private var groupByteCount = 0
    /// The number of bytes of the texts in each row of a part.
    private var rowSizes: [Int] = []

    /// The source of a Parquet column in a row.
    private struct Cell {
        // The cells of each row are read without reference counting. The renderer owns the columns.
        let column: Unmanaged<ParquetColumn>
        let kind: Kind
        /// The index of the value in the row.
        let index: Int
        /// The index of an instant's UTC offset in the row, or of the undeclared column.
        var other = -1
        /// The column with the UTC offsets of an instant.
        var offset: Unmanaged<ParquetColumn>?
        /// The number of decimals of a rounded number.
        var decimals = 0
    }

    private enum Kind: UInt8 {
        case text, integer, number, roundedNumber, boolean, day, instant, instantText, undeclared, geometry
    }

    /// Creates a renderer that writes the columns of `shape` to `output`.
    ///
    /// - Throws: `format-not-available` if two columns have the same name, or if a column has the name of the geometry
    ///   column; `internal` if the compression cannot start.
    public convenience init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) throws {
        try self.init(shape, options) { columns in
            try Self.check(columns)
            return try ParquetWriter(columns, output)
        }
    }

    private init(
        _ shape: ResultShape, _ options: RenderOptions, writer: ([ParquetColumn]) throws -> ParquetWriter?
    ) rethrows {
        let layout = Layout(shape, precision: options.precision)
        self.shape = shape
        self.options = options
        cells = layout.cells
        declared = layout.declared
        undeclared = layout.undeclared
        geo = layout.geo
        self.writer = try writer(layout.columns)
    }

    /// The columns of the file and the cells of a row.
    private struct Layout {
        private(set) var cells: [Cell] = []
        private(set) var columns: [ParquetColumn] = []
        private(set) var declared: [ParquetColumn] = []
        private(set) var undeclared: [UndeclaredColumn] = []
        private(set) var geo: GeoParquetColumns?

        init(_ shape: ResultShape, precision: Int?) {
            let names = Set(shape.columns.map(\.name))
            let longitude = shape.columns.first { column in column.value == .longitude }
            let geometry = shape.geometry ?? longitude.map { column in .point(column.index) }
            for column in shape.columns {
                if let geometry, shape.isCoordinate(column) {
                    addGeometry(geometry, precision: precision)
                } else {
                    add(column, names: names)
                }
            }
            // The sides of a box are columns in addition to the geometry, as in GeoJSON.
            if let geometry, case .box = geometry {
                addGeometry(geometry, precision: precision)
            }
        }

        private mutating func addGeometry(_ geometry: Geometry, precision: Int?) {
            guard geo == nil else { return }
            let new = GeoParquetColumns(geometry, precision: precision)
            geo = new
            columns += new.columns
            cells.append(Cell(column: .passUnretained(new.columns[0]), kind: .geometry, index: 0))
        }

        /// Adds a column, and the column of its offsets unless the result has a column with that name.
        private mutating func add(_ column: Column, names: Set<String>) {
            let (kind, type) = ParquetRenderer.form(column.value)
            let values = ParquetColumn([column.name], type)
            columns.append(values)
            var cell = Cell(column: .passUnretained(values), kind: kind, index: column.index)
            if kind == .undeclared {
                cell.other = undeclared.count
                undeclared.append(UndeclaredColumn(values))
            } else {
                declared.append(values)
            }
            if case .instant(let offset?) = column.value { cell.other = offset }
            if case .number(let decimals?) = column.value { cell.decimals = decimals }
            if let name = column.offsetName, !names.contains(name) {
                let offsets = ParquetColumn([name], .int16)
                columns.append(offsets)
                declared.append(offsets)
                cell.offset = .passUnretained(offsets)
            }
            cells.append(cell)
        }
    }

    /// Returns how the values of a column are read, and the type in which they are written.
    private static func form(_ value: Column.Value) -> (Kind, ParquetType) {
        switch value {
        case .text: (.text, .text)
        case .json: (.text, .json)
        case .integer: (.integer, .int64)
        case .number(nil), .longitude, .latitude: (.number, .double)
        case .number: (.roundedNumber, .double)
        case .boolean: (.boolean, .boolean)
        case .day: (.day, .date)
        case .instant: (.instant, .timestamp)
        case .instantText: (.instantText, .timestamp)
        case .any: (.undeclared, .text)
        }
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
    public func begin() throws { writer?.begin() }

    /// Adds `row` to the current row group, and writes the group if it is complete.
    ///
    /// - Throws: `format-not-available` if a column without a declared type has values of several types; `report-invalid`
    ///   if a text is not a value of the declared type; an error of `OutputBuffer.flush()`.
    public func append(_ row: some Row) throws {
        let byteCountBefore = groupByteCount
        for cell in cells {
            let index = cell.index
            switch cell.kind {
            case .text:
                let isPresent = row.readText(index) { text in
                    groupByteCount += text.count
                    cell.column._withUnsafeGuaranteedRef { $0.append(text: text) }
                }
                if !isPresent { appendNull(cell) }
            case .integer:
                let number = row.integer(index)
                if number == 0, row.isNull(index) { appendNull(cell) } else { append(number, cell) }
            case .boolean:
                let number = row.integer(index)
                if number == 0, row.isNull(index) {
                    appendNull(cell)
                } else {
                    append(number == 0 ? 0 : 1 as UInt8, cell)
                }
            case .number, .roundedNumber:
                let number = row.number(index)
                if number == 0 && row.isNull(index) || !number.isFinite {
                    appendNull(cell)
                } else {
                    append(number.rounded(decimals: cell.kind == .number ? nil : cell.decimals).bitPattern, cell)
                }
            case .day:
                var isValid = true
                let isPresent = row.readText(index) {
                    if let day = Day(utf8: $0) { append(day.number, cell) } else { isValid = false }
                }
                if !isPresent { appendNull(cell) }
                guard isValid else { throw invalid(cell) }
            case .instant: appendInstant(of: row, cell)
            case .instantText:
                var isValid = true
                let isPresent = row.readText(index) {
                    if let instant = OffsetInstant(utf8: $0) {
                        append(instant.instant.microseconds, cell)
                        appendOffset((instant.offset?.minutes).map(Int64.init), cell)
                    } else {
                        isValid = false
                    }
                }
                guard isValid else { throw invalid(cell) }
                if !isPresent { appendNull(cell) }
            case .undeclared:
                groupByteCount += try undeclared[cell.other].append(row.value(index), at: groupRowCount)
            case .geometry: geo?.append(row, at: groupRowCount)
            }
        }
        rowCount += 1
        groupRowCount += 1
        if writer == nil {
            rowSizes.append(groupByteCount - byteCountBefore)
        } else if isGroupFull {
            try endGroup()
        }
    }

    @inline(__always)
    private func append(_ bits: some FixedWidthInteger, _ cell: Cell) {
        cell.column._withUnsafeGuaranteedRef { $0.append(bits) }
    }

    /// Appends a null to the column, and to the column with its UTC offset.
    @inline(__always)
    private func appendNull(_ cell: Cell) {
        cell.column._withUnsafeGuaranteedRef { $0.appendNull(at: groupRowCount) }
        appendOffset(nil, cell)
    }

    @inline(__always)
    private func appendOffset(_ minutes: Int64?, _ cell: Cell) {
        cell.offset?._withUnsafeGuaranteedRef {
            if let minutes { $0.append(Int32(truncatingIfNeeded: minutes)) } else { $0.appendNull(at: groupRowCount) }
        }
    }

    @inline(__always)
    private func appendInstant(of row: some Row, _ cell: Cell) {
        let microseconds = row.integer(cell.index)
        guard microseconds != 0 || !row.isNull(cell.index), Self.first...Self.last ~= microseconds else {
            return appendNull(cell)
        }
        append(microseconds, cell)
        guard cell.offset != nil else { return }
        let minutes = row.integer(cell.other)
        appendOffset(minutes == 0 && row.isNull(cell.other) ? nil : minutes, cell)
    }

    /// The first instant of the year 1 and the last instant of the year 9999.
    ///
    /// The text formats write other instants as null, too.
    private static var first: Int64 { -62_135_596_800_000_000 }
    private static var last: Int64 { 253_402_300_799_999_999 }

    private func invalid(_ cell: Cell) -> HabitError {
        let name = cell.column._withUnsafeGuaranteedRef { $0.path[0] }
        return HabitError(
            .reportInvalid,
            "a value of the column '\(name)' does not have the type that the header declares: correct the type, or CAST the value",
            field: name)
    }

    // MARK: Row groups

    private var isGroupFull: Bool { groupRowCount >= Self.groupRows || groupByteCount >= Self.groupBytes }

    private func endGroup() throws {
        guard let writer else { return }
        for column in undeclared { try column.decide() }
        geo?.endGroup()
        try writer.endGroup(groupRowCount)
        groupRowCount = 0
        groupByteCount = 0
    }

    /// Writes the last row group and the metadata.
    public func end() throws {
        try endGroup()
        if let geo {
            writer?.end([("geo", geo.metadata)])
        } else {
            writer?.end([])
        }
    }

    // MARK: Parts

    /// Creates a renderer that collects a part of the rows in its columns.
    public func part(into buffer: OutputBuffer) -> ParquetRenderer { ParquetRenderer(shape, options) { _ in nil } }

    /// Appends the rows of a part.
    ///
    /// A row group ends after the same row as without parts.
    ///
    /// - Throws: The errors of ``append(_:)``.
    public func append(_ part: ParquetRenderer, in buffer: OutputBuffer) throws {
        var first = 0
        while first < part.groupRowCount {
            var end = first
            while end < part.groupRowCount, !isGroupFull {
                groupByteCount += part.rowSizes[end]
                groupRowCount += 1
                end += 1
            }
            try append(first..<end, of: part)
            first = end
            if isGroupFull { try endGroup() }
        }
    }

    /// Appends rows of a part that the current row group already counts.
    private func append(_ rows: Range<Int>, of part: ParquetRenderer) throws {
        let row = groupRowCount - rows.count
        for (column, other) in zip(declared, part.declared) { column.append(rows, of: other, at: row) }
        for (column, other) in zip(undeclared, part.undeclared) { try column.append(rows, of: other, at: row) }
        if let geo, let other = part.geo { geo.append(rows, of: other, at: row) }
        rowCount += rows.count
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
