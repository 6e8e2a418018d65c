import Base

/// A writer of the pages and the metadata of a Parquet file.
///
/// The columns collect the values of a row group. ``endGroup()`` writes them, so that memory use depends only on the size
/// of a row group. Each column of a row group has one data page, and a dictionary page before it if that makes the data
/// shorter. Source: Apache Parquet, "File Format" and `parquet.thrift`.
final class ParquetWriter {
    /// The columns without nested columns, in the order of the schema.
    let columns: [ParquetColumn]
    private let output: OutputBuffer
    private let compressor: ZstdCompressor
    /// The content of one page, and its compressed form.
    private let (content, compressed) = (OutputBuffer(), OutputBuffer())
    private var position = 0
    private var groups: [ThriftBytes] = []
    private(set) var rowCount = 0

    private static let magic: StaticString = "PAR1"

    /// Creates a writer of a file with these columns.
    ///
    /// - Throws: `internal` if the compression cannot start.
    init(_ columns: [ParquetColumn], _ output: OutputBuffer) throws {
        self.columns = columns
        self.output = output
        compressor = try ZstdCompressor()
    }

    /// Appends the beginning of the file.
    func begin() {
        output.append(literal: Self.magic)
        position = 4
    }

    /// Writes the rows of the columns as a row group and removes them from the columns.
    ///
    /// - Parameter rows: The number of rows.
    /// - Throws: `internal` if the compression fails, or an error of `OutputBuffer.flush()`.
    func endGroup(_ rows: Int) throws {
        guard rows > 0 else { return }
        let start = position
        var chunks: [ThriftBytes] = []
        var size = 0
        for column in columns {
            let chunk = try writeChunk(column, rows)
            size += chunk.size
            chunks.append(chunk.metadata)
            column.removeAll()
            try output.flushIfFull()
        }
        var group = ThriftBytes()
        group.append(1, chunks)
        group.append(2, int64: size)
        group.append(3, int64: rows)
        group.append(5, int64: start)
        group.append(6, int64: position - start)
        groups.append(group)
        rowCount += rows
    }

    /// Appends the metadata and the end of the file.
    ///
    /// - Parameter metadata: Texts by key that the file contains in addition to the schema.
    func end(_ metadata: [(key: String, value: String)]) {
        var file = ThriftBytes()
        file.append(1, int32: 2)
        file.append(2, schema)
        file.append(3, int64: rowCount)
        file.append(4, groups)
        if !metadata.isEmpty {
            file.append(
                5,
                metadata.map { key, value in
                    var pair = ThriftBytes()
                    pair.append(1, key)
                    pair.append(2, value)
                    return pair
                })
        }
        // Readers look for the version to find out which defects the writer had.
        file.append(6, "Habitat version \(HabitatVersion.current)")
        // The bounds of all columns are in the order of their types.
        file.append(7, columns.map { _ in ThriftBytes(1) })
        let bytes = file.complete
        output.append(bytes)
        output.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
        output.append(literal: Self.magic)
    }

    // MARK: Schema

    /// The elements of the schema in depth-first order.
    private var schema: [ThriftBytes] {
        var elements: [ThriftBytes] = []
        var root = ThriftBytes()
        root.append(4, "schema")
        root.append(5, int32: Set(columns.map { $0.path[0] }).count)
        elements.append(root)
        for (index, column) in columns.enumerated() {
            let parent = column.path.dropLast()
            if let name = parent.first, index == 0 || columns[index - 1].path.dropLast() != parent {
                var element = ThriftBytes()
                element.append(3, int32: Self.optional)
                element.append(4, name)
                element.append(5, int32: columns.count { $0.path.dropLast() == parent })
                elements.append(element)
            }
            var element = ThriftBytes()
            element.append(1, int32: column.type.physical)
            // A nested column is null only if its struct is null.
            element.append(3, int32: parent.isEmpty ? Self.optional : Self.required)
            element.append(4, column.path[column.path.count - 1])
            if let converted = column.type.converted { element.append(6, int32: converted) }
            if let logical = column.type.logical { element.append(10, logical) }
            elements.append(element)
        }
        return elements
    }

    private static let (required, optional) = (0, 1)

    // MARK: Pages

    private enum Encoding {
        static let plain = 0
        static let runLength = 3
        static let dictionary = 8
    }

    /// Writes the pages of a column, and returns their metadata and their size before the compression.
    private func writeChunk(_ column: ParquetColumn, _ rows: Int) throws -> (metadata: ThriftBytes, size: Int) {
        let dictionary = makeDictionary(column, rows - column.nullCount)
        let start = position
        let level = column.usesCompression ? column.type.compressionLevel : nil
        var size = 0
        if let dictionary {
            content.truncate(to: 0)
            append(dictionary, of: column)
            size += try writePage(.dictionary(count: dictionary.offsets.count), level)
        }
        let dataOffset = position
        content.truncate(to: 0)
        appendLevels(column, rows)
        appendValues(column, dictionary)
        let encoding = dictionary == nil ? Encoding.plain : Encoding.dictionary
        size += try writePage(.data(count: rows, encoding), level)
        if (position - start) * 10 > size * 7 { column.usesCompression = false }

        var metadata = ThriftBytes()
        metadata.append(1, int32: column.type.physical)
        metadata.append(
            2, int32s: [Encoding.plain, Encoding.runLength] + (dictionary == nil ? [] : [Encoding.dictionary]))
        metadata.append(3, column.path)
        metadata.append(4, int32: level == nil ? Self.uncompressed : Self.zstd)
        metadata.append(5, int64: rows)
        metadata.append(6, int64: size)
        metadata.append(7, int64: position - start)
        metadata.append(9, int64: dataOffset)
        if dictionary != nil { metadata.append(11, int64: start) }
        metadata.append(12, statistics(column, dictionary))
        if let geometries = GeospatialStatistics(column) { metadata.append(17, geometries.thrift) }
        var chunk = ThriftBytes()
        chunk.append(2, int64: 0)
        chunk.append(3, metadata)
        return (chunk, size)
    }

    private static let (uncompressed, zstd) = (0, 6)

    private func makeDictionary(_ column: ParquetColumn, _ count: Int) -> ParquetDictionary? {
        guard column.usesDictionary, column.values.count > 0 else { return nil }
        let values = column.values.bytes
        let dictionary =
            switch column.type {
            case .boolean: nil as ParquetDictionary?
            case .int16, .date, .float: ParquetDictionary(values, of: UInt32.self)
            case .int64, .timestamp, .double: ParquetDictionary(values, of: UInt64.self)
            case .text, .json, .wkb: ParquetDictionary(values, count: count)
            }
        if dictionary == nil { column.usesDictionary = false }
        return dictionary
    }

    /// Appends the distinct values in the encoding PLAIN.
    private func append(_ dictionary: ParquetDictionary, of column: ParquetColumn) {
        let bytes = UnsafeRawBufferPointer(column.values.bytes)
        for offset in dictionary.offsets {
            let size =
                column.type.size ?? 4 + Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            content.append(UnsafeBufferPointer(rebasing: column.values.bytes[offset..<offset + size]))
        }
    }

    /// Appends the definition levels with their length: whether each row has a value.
    private func appendLevels(_ column: ParquetColumn, _ rows: Int) {
        content.append(littleEndian: UInt32(0))
        let areEqual = column.nullCount == 0 || column.nullCount == rows
        column.levels(rows).withUnsafeBufferPointer { content.append(hybrid: $0, width: 1, areEqual: areEqual) }
        content.overwrite(UInt32(truncatingIfNeeded: content.count - 4), at: 0)
    }

    private func appendValues(_ column: ParquetColumn, _ dictionary: ParquetDictionary?) {
        guard let dictionary else {
            guard column.type == .boolean else { return content.append(column.values) }
            let begin = content.count
            content.append(bitPacked: column.values.bytes, width: 1)
            return content.truncate(to: begin + (column.values.count + 7) / 8)
        }
        let width = max(1, Int.bitWidth - (dictionary.offsets.count - 1).leadingZeroBitCount)
        content.append(UInt8(width))
        dictionary.indices.withUnsafeBufferPointer {
            content.append(hybrid: $0, width: width, areEqual: dictionary.offsets.count == 1)
        }
    }

    /// The kinds of pages in the file format.
    private enum PageKind {
        case dictionary(count: Int)
        case data(count: Int, Int)
    }

    /// Writes the content as a page, after a header.
    ///
    /// - Parameters:
    ///   - page: The kind of the page.
    ///   - level: The level of the compression, or `nil` for no compression.
    /// - Returns: The size of the page before the compression.
    /// - Throws: `internal` if the compression fails.
    private func writePage(_ page: PageKind, _ level: Int?) throws -> Int {
        compressed.truncate(to: 0)
        if let level { try compressor.compress(content.bytes, level: level, into: compressed) }
        let data = level == nil ? content : compressed
        var header = ThriftBytes()
        var ofPage = ThriftBytes()
        switch page {
        case .dictionary(let count):
            header.append(1, int32: 2)
            ofPage.append(1, int32: count)
            ofPage.append(2, int32: Encoding.plain)
        case .data(let count, let encoding):
            header.append(1, int32: 0)
            ofPage.append(1, int32: count)
            ofPage.append(2, int32: encoding)
            ofPage.append(3, int32: Encoding.runLength)
            ofPage.append(4, int32: Encoding.runLength)
        }
        header.append(2, int32: content.count)
        header.append(3, int32: data.count)
        switch page {
        case .dictionary: header.append(7, ofPage)
        case .data: header.append(5, ofPage)
        }
        let bytes = header.complete
        output.append(bytes)
        output.append(data)
        position += bytes.count + data.count
        return bytes.count + content.count
    }

    private func statistics(_ column: ParquetColumn, _ dictionary: ParquetDictionary?) -> ThriftBytes {
        var statistics = ThriftBytes()
        statistics.append(3, int64: column.nullCount)
        if let bounds = ParquetStatistics(column, at: dictionary?.offsets) {
            statistics.append(5, bounds.highest)
            statistics.append(6, bounds.lowest)
        }
        return statistics
    }
}
