import CSQLite
import GRDB
import Geo
import HabitModel

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
        let fill = (nodeSize - 4) / Node.entrySize
        for part in ["node", "parent", "rowid"] { try db.execute(sql: "DELETE FROM \(index)_\(part)") }
        let node = try Insert("\(index)_node (nodeno, data)", db)
        guard !entries.isEmpty else { return try node.run(1, Node(size: nodeSize).bytes) }
        entries.sortRadix(by: \.order)
        try writeNodes(of: index, fill: fill, nodeSize: nodeSize, node, db)
        // From here on, `order` is the leaf of each entry. In the order of the IDs, the insert is an append to the
        // table.
        for index in entries.indices {
            entries[index].order = UInt64(Self.firstLeaf(of: entries.count, fill) + index / fill)
        }
        entries.sortRadix(by: { UInt64(bitPattern: $0.id) ^ (1 << 63) })
        try RowInsert(into: "\(index)_rowid", columns: ["rowid", "nodeno"], db).run(entries.count) {
            row, slot in
            sqlite3_bind_int64(slot.statement, slot.parameter, entries[row].id)
            sqlite3_bind_int64(slot.statement, slot.parameter + 1, Int64(entries[row].order))
        }
        entries = []
    }

    /// Returns the node size of the module in bytes.
    ///
    /// The size is the page size minus 64, or the size of 51 entries if that is less.
    private static func nodeSize(_ db: Database) throws -> Int {
        min((try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096) - 64, 4 + 51 * Node.entrySize)
    }

    /// Returns the number of the first leaf.
    ///
    /// The root is node 1. A tree with one level consists only of the root.
    private static func firstLeaf(of count: Int, _ fill: Int) -> Int { count <= fill ? 1 : 2 }

    /// Writes the nodes of each level, beginning with the leaves, and the parent of each node.
    private func writeNodes(of index: String, fill: Int, nodeSize: Int, _ insert: Insert, _ db: Database) throws {
        let parents = try Insert("\(index)_parent (nodeno, parentnode)", db)
        var node = Node(size: nodeSize)
        // The entries of leaves are computed from the curve on demand. The entries of other levels are the nodes of the
        // level below.
        var children: [(id: Int64, box: FloatBox)] = []
        var count = entries.count
        var depth = 0
        var first = Self.firstLeaf(of: count, fill)
        while true {
            let nodes = (count + fill - 1) / fill
            let isRoot = nodes == 1
            let next = first + nodes
            var above: [(id: Int64, box: FloatBox)] = []
            above.reserveCapacity(nodes)
            for number in 0..<nodes {
                node.clear(depth: isRoot ? depth : 0)
                for index in number * fill..<min(count, (number + 1) * fill) {
                    if depth == 0 {
                        node.append(entries[index].id, HilbertCell(order: entries[index].order).box)
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
            (children, count, first, depth) = (above, nodes, next, depth + 1)
        }
    }
}

/// A cell of a global grid of 2^32 by 2^32 cells, identified by its distance along a Hilbert curve.
///
/// A cell is 0.8 × 10⁻⁷ degrees of longitude by 0.4 × 10⁻⁷ degrees of latitude.
struct HilbertCell {
    /// The distance of the cell along the curve.
    let order: UInt64

    private static let side = 4_294_967_296.0

    init(order: UInt64) { self.order = order }

    /// Creates the cell that contains `position`.
    init(_ position: Position) {
        func cell(_ share: Double) -> UInt32 { UInt32(min(Self.side - 1, max(0, share * Self.side))) }
        let x = cell((position.longitude + 180) / 360)
        let y = cell((position.latitude + 90) / 180)
        var order: UInt64 = 0
        var turn: UInt16 = 0
        CurveTable.orders.withUnsafeBufferPointer { orders in
            for shift in stride(from: UInt32(28), through: 0, by: -4) {
                let step = orders[Int(turn << 8 | UInt16((x >> shift & 15) << 4 | y >> shift & 15))]
                order = order << 8 | UInt64(step & 255)
                turn = step >> 8
            }
        }
        self.order = order
    }

    /// The column and the row of the cell, counted from the southwest.
    var gridPosition: (x: UInt32, y: UInt32) {
        var (x, y): (UInt32, UInt32) = (0, 0)
        var turn: UInt16 = 0
        CurveTable.gridPositions.withUnsafeBufferPointer { positions in
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                let step = positions[Int(turn << 8 | UInt16(truncatingIfNeeded: order >> shift & 255))]
                x = x << 4 | UInt32(step >> 4 & 15)
                y = y << 4 | UInt32(step & 15)
                turn = step >> 8
            }
        }
        return (x, y)
    }

    /// A box of 32-bit numbers that contains every position in the cell.
    var box: FloatBox {
        let (x, y) = gridPosition
        // The column and the row were computed from rounded fractions. The margin of 0.1 mm is much larger than that
        // error.
        let margin = 1e-9
        let (west, south) = (Double(x) / Self.side * 360 - 180, Double(y) / Self.side * 180 - 90)
        return FloatBox(
            west: (west - margin).roundedDown, east: (west + 360 / Self.side + margin).roundedUp,
            south: (south - margin).roundedDown, north: (south + 180 / Self.side + margin).roundedUp)
    }
}

/// Lookup tables for four levels of the curve, for each of the four orientations in the top quadrant.
private enum CurveTable {
    /// A table indexed by the orientation (2 bits), the column and the row (4 bits each).
    ///
    /// An entry contains eight bits of the curve and, above them, the orientation in which the curve continues.
    static let orders = steps { x, y, order in (x << 4 | y, order) }
    /// A table indexed by the orientation and eight bits of the curve.
    ///
    /// An entry contains the column, the row and, above them, the orientation in which the curve continues.
    static let gridPositions = steps { x, y, order in (order, x << 4 | y) }

    private static func steps(_ entry: (_ x: UInt16, _ y: UInt16, _ order: UInt16) -> (UInt16, UInt16)) -> [UInt16] {
        var table = [UInt16](repeating: 0, count: 4 << 8)
        for way in UInt16(0)..<4 {
            for gridPosition in UInt16(0)..<256 {
                let (x, y) = (gridPosition >> 4, gridPosition & 15)
                var order: UInt16 = 0
                var turn = CurveOrientation(isExchanged: way & 1, isBackward: way >> 1)
                for bit in (UInt16(0)..<4).reversed() {
                    let (right, upper) = turn.applied((x >> bit) & 1, (y >> bit) & 1)
                    order = order << 2 | (3 * right) ^ upper
                    turn.enter(right, upper)
                }
                let (index, value) = entry(x, y, order)
                table[Int(way << 8 | index)] = (turn.isBackward << 1 | turn.isExchanged) << 8 | value
            }
        }
        return table
    }

    /// The orientation of the curve in a quadrant: exchanged coordinates, and coordinates that count backward.
    private struct CurveOrientation {
        var isExchanged: UInt16
        var isBackward: UInt16

        /// Returns the bits of a cell in the orientation of the curve.
        func applied(_ a: UInt16, _ b: UInt16) -> (UInt16, UInt16) {
            let difference = (a ^ b) & isExchanged
            return (a ^ difference ^ isBackward, b ^ difference ^ isBackward)
        }

        /// Changes the orientation for the quadrant that the curve's bits select.
        mutating func enter(_ right: UInt16, _ upper: UInt16) {
            let isLower = upper ^ 1
            isBackward ^= right & isLower
            isExchanged ^= isLower
        }
    }
}

/// A box in the 32-bit form of the R*Tree module, in degrees.
struct FloatBox: Equatable {
    var west: Float
    var east: Float
    var south: Float
    var north: Float

    mutating func formUnion(_ other: FloatBox) {
        west = min(west, other.west)
        east = max(east, other.east)
        south = min(south, other.south)
        north = max(north, other.north)
    }
}

extension Double {
    fileprivate var roundedDown: Float {
        let near = Float(self)
        return Double(near) > self ? near.nextDown : near
    }

    fileprivate var roundedUp: Float {
        let near = Float(self)
        return Double(near) < self ? near.nextUp : near
    }
}

/// The bytes of a node, all of them big-endian.
///
/// A node contains the depth of the tree (only in the root), the number of entries, and the entries.
private struct Node {
    static let entrySize = 24

    private(set) var bytes: [UInt8]
    private(set) var box = FloatBox(west: .infinity, east: -.infinity, south: .infinity, north: -.infinity)
    private var count = 0

    init(size: Int) { bytes = [UInt8](repeating: 0, count: size) }

    mutating func clear(depth: Int) {
        for index in bytes.indices { bytes[index] = 0 }
        box = FloatBox(west: .infinity, east: -.infinity, south: .infinity, north: -.infinity)
        count = 0
        put(UInt16(depth), at: 0)
    }

    mutating func append(_ id: Int64, _ entry: FloatBox) {
        let start = 4 + count * Self.entrySize
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
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: type(of: value)) }
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

extension Array {
    /// Sorts the array by a 64-bit key, 16 bits at a time, and keeps the order of equal elements.
    ///
    /// The sort needs the memory of a second array.
    mutating func sortRadix(by key: (Element) -> UInt64) {
        guard count > 4096 else { return sort { key($0) < key($1) } }
        var other = self
        for shift in stride(from: UInt64(0), to: 64, by: 16) {
            var starts = [Int](repeating: 0, count: 65537)
            for element in self { starts[Int(truncatingIfNeeded: key(element) >> shift & 0xFFFF) + 1] += 1 }
            guard !starts.contains(count) else { continue }
            for digit in 0..<65536 { starts[digit + 1] += starts[digit] }
            for element in self {
                let digit = Int(truncatingIfNeeded: key(element) >> shift & 0xFFFF)
                other[starts[digit]] = element
                starts[digit] += 1
            }
            swap(&self, &other)
        }
    }
}
