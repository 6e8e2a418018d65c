import Base
import CSQLite
import GRDB
import Geo

/// A builder that fills the R*Tree of a table in one pass, with full nodes in the order of a Hilbert curve.
///
/// Inserting entries one by one costs far more, because each insert may split nodes and move other entries. Here,
/// positions that are close on the curve are in the same node (Kamel and Faloutsos, "On Packing R-trees", CIKM 1993).
/// The nodes therefore overlap little, and later inserts use the tree like any other. The nodes are written to the
/// shadow tables of the module. Their format is documented at the head of SQLite's rtree.c and verified by
/// `rtreecheck`.
///
/// Memory: 32 bytes for each position, up to 48 while positions are added. Cost: a radix sort, and an append to three
/// tables.
struct PackedRTree {
    /// A position as its distance along the curve, from which its box is computed.
    private struct Entry {
        var order: UInt64
        var id: Int64
    }

    private var entries: [Entry] = []

    /// Adds the position of the row with the key `id`.
    mutating func add(_ id: Int64, at position: Position) {
        let cell = HilbertCell(position)
        entries.append(Entry(order: cell.order, id: id))
    }

    /// Replaces all contents of the index with the added positions.
    ///
    /// No other statement may read the index at the same time.
    mutating func replace(_ index: String, in db: Database) throws {
        let nodeSize = try Self.nodeSize(db)
        let fill = (nodeSize - Node.headerSize) / Node.entrySize
        for part in ["node", "parent", "rowid"] {
            try db.execute(sql: "DELETE FROM \(index)_\(part)")
        }
        let insert = try Insert("\(index)_node (nodeno, data)", db)
        guard !entries.isEmpty else {
            let emptyRoot = Node(size: nodeSize)
            return try insert.run(1, emptyRoot.bytes)
        }
        entries.sortRadix(by: \.order)
        try writeNodes(of: index, with: insert, fill: fill, nodeSize: nodeSize, db)
        try writeLeaves(of: index, fill: fill, db)
        entries = []
    }

    /// Writes the leaf of each entry.
    ///
    /// The method replaces `order` by the number of the leaf. In the order of the IDs, the insert appends to the table.
    private mutating func writeLeaves(of index: String, fill: Int, _ db: Database) throws {
        let firstLeaf = Self.firstLeaf(of: entries.count, fill: fill)
        for entry in entries.indices {
            entries[entry].order = UInt64(firstLeaf + entry / fill)
        }
        // With the inverted sign bit, unsigned numbers have the order of the IDs.
        entries.sortRadix { entry in
            UInt64(bitPattern: entry.id) ^ (1 << 63)
        }
        let insert = try RowInsert(into: "\(index)_rowid", columns: ["rowid", "nodeno"], db)
        try insert.run(entries.count) { row, slot in
            let entry = entries[row]
            sqlite3_bind_int64(slot.statement, slot.parameter, entry.id)
            sqlite3_bind_int64(slot.statement, slot.parameter + 1, Int64(entry.order))
        }
    }

    /// Returns the node size of the module in bytes.
    ///
    /// The size is the page size minus 64, or the size of 51 entries if that is less.
    private static func nodeSize(_ db: Database) throws -> Int {
        let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
        let sizeOf51Entries = Node.headerSize + 51 * Node.entrySize
        return min(pageSize - 64, sizeOf51Entries)
    }

    /// Returns the number of the first leaf.
    ///
    /// The root is node 1. A tree with one level consists only of the root.
    private static func firstLeaf(of count: Int, fill: Int) -> Int {
        count <= fill ? 1 : 2
    }

    /// Writes the nodes of each level, beginning with the leaves, and the parent of each node.
    private func writeNodes(
        of index: String,
        with insert: Insert,
        fill: Int,
        nodeSize: Int,
        _ db: Database
    ) throws {
        let parents = try Insert("\(index)_parent (nodeno, parentnode)", db)
        var node = Node(size: nodeSize)
        // The entries of leaves are computed from the curve on demand. The entries of other levels are the nodes of the
        // level below.
        var children: [(id: Int64, box: FloatBox)] = []
        var count = entries.count
        var depth = 0
        var first = Self.firstLeaf(of: count, fill: fill)
        while true {
            let nodes = (count + fill - 1) / fill
            let isRoot = nodes == 1
            let next = first + nodes
            var above: [(id: Int64, box: FloatBox)] = []
            above.reserveCapacity(nodes)
            for number in 0..<nodes {
                node.clear(depth: isRoot ? depth : 0)
                let start = number * fill
                let end = min(count, start + fill)
                for index in start..<end {
                    if depth == 0 {
                        let cell = HilbertCell(order: entries[index].order)
                        node.append(entries[index].id, cell.box)
                    } else {
                        node.append(children[index].id, children[index].box)
                    }
                }
                let id = Int64(isRoot ? 1 : first + number)
                try insert.run(id, node.bytes)
                if !isRoot {
                    let parent = nodes <= fill ? 1 : next + number / fill
                    try parents.run(id, Int64(parent))
                }
                above.append((id, node.box))
            }
            if isRoot { return }
            children = above
            count = nodes
            first = next
            depth += 1
        }
    }
}

/// The bytes of a node, all of them big-endian.
///
/// A node contains the depth of the tree (only in the root), the number of entries, and the entries.
private struct Node {
    static let headerSize = 4
    static let entrySize = 24
    private static let emptyBox = FloatBox(west: .infinity, east: -.infinity, south: .infinity, north: -.infinity)

    private(set) var bytes: [UInt8]
    /// The smallest box with all entries.
    private(set) var box = Self.emptyBox
    private var count = 0

    init(size: Int) { bytes = [UInt8](repeating: 0, count: size) }

    mutating func clear(depth: Int) {
        for index in bytes.indices {
            bytes[index] = 0
        }
        box = Self.emptyBox
        count = 0
        put(UInt16(depth), at: 0)
    }

    mutating func append(_ id: Int64, _ entry: FloatBox) {
        let start = Self.headerSize + count * Self.entrySize
        put(UInt64(bitPattern: id), at: start)
        put(entry.west.bitPattern, at: start + 8)
        put(entry.east.bitPattern, at: start + 12)
        put(entry.south.bitPattern, at: start + 16)
        put(entry.north.bitPattern, at: start + 20)
        box.formUnion(entry)
        count += 1
        put(UInt16(count), at: 2)
    }

    private mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
        bytes.withUnsafeMutableBytes { content in
            content.storeBytes(of: value.bigEndian, toByteOffset: offset, as: type(of: value))
        }
    }
}

/// An INSERT of two columns, the first of which is an integer.
private struct Insert {
    private let statement: GRDB.Statement

    init(_ target: String, _ db: Database) throws {
        statement = try db.makeStatement(sql: "INSERT INTO \(target) VALUES (?, ?)")
    }

    func run(_ first: Int64, _ second: Int64) throws {
        sqlite3_bind_int64(statement.sqliteStatement, 2, second)
        try step(first)
    }

    func run(_ first: Int64, _ second: [UInt8]) throws {
        try second.withUnsafeBytes { bytes in
            sqlite3_bind_blob(statement.sqliteStatement, 2, bytes.baseAddress, Int32(bytes.count), nil)
            try step(first)
        }
    }

    private func step(_ first: Int64) throws {
        let handle = statement.sqliteStatement
        sqlite3_bind_int64(handle, 1, first)
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
