/// A cell of a global grid of 2^32 by 2^32 cells, identified by its distance along a Hilbert curve.
///
/// A cell is 0.8 × 10⁻⁷ degrees of longitude by 0.4 × 10⁻⁷ degrees of latitude.
package struct HilbertCell {
    /// The distance of the cell along the curve.
    package let order: UInt64

    private static let side = 4_294_967_296.0

    /// Creates the cell at a distance along the curve.
    package init(order: UInt64) { self.order = order }

    /// Creates the cell that contains `position`.
    package init(_ position: Position) {
        let x = Self.cell(at: (position.longitude + 180) / 360)
        let y = Self.cell(at: (position.latitude + 90) / 180)
        var order: UInt64 = 0
        var turn: UInt16 = 0
        CurveTable.orders.withUnsafeBufferPointer { orders in
            for shift in stride(from: UInt32(28), through: 0, by: -4) {
                let column = x >> shift & 15
                let row = y >> shift & 15
                let index = turn << 8 | UInt16(column << 4 | row)
                let step = orders[Int(index)]
                order = order << 8 | UInt64(step & 255)
                turn = step >> 8
            }
        }
        self.order = order
    }

    /// Returns the column or the row at a share of a side of the grid.
    private static func cell(at share: Double) -> UInt32 {
        UInt32(min(side - 1, max(0, share * side)))
    }

    /// The column and the row of the cell, counted from the southwest.
    package var gridPosition: (x: UInt32, y: UInt32) {
        var x: UInt32 = 0
        var y: UInt32 = 0
        var turn: UInt16 = 0
        CurveTable.gridPositions.withUnsafeBufferPointer { positions in
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                let bits = UInt16(truncatingIfNeeded: order >> shift & 255)
                let step = positions[Int(turn << 8 | bits)]
                x = x << 4 | UInt32(step >> 4 & 15)
                y = y << 4 | UInt32(step & 15)
                turn = step >> 8
            }
        }
        return (x, y)
    }

    /// A box of 32-bit numbers that contains every position in the cell.
    package var box: FloatBox {
        let cell = gridPosition
        // The column and the row were computed from rounded fractions. The margin of 0.1 mm is much larger than that
        // error.
        let margin = 1e-9
        let west = Double(cell.x) / Self.side * 360 - 180
        let south = Double(cell.y) / Self.side * 180 - 90
        let east = west + 360 / Self.side
        let north = south + 180 / Self.side
        return FloatBox(
            west: (west - margin).roundedDown,
            east: (east + margin).roundedUp,
            south: (south - margin).roundedDown,
            north: (north + margin).roundedUp)
    }
}

/// Lookup tables for four levels of the curve, for each of the four orientations in the top quadrant.
private enum CurveTable {
    /// A table indexed by the orientation (2 bits), the column and the row (4 bits each).
    ///
    /// An entry contains eight bits of the curve and, above them, the orientation in which the curve continues.
    static let orders = steps { gridPosition, order in
        Entry(index: gridPosition, value: order)
    }
    /// A table indexed by the orientation and eight bits of the curve.
    ///
    /// An entry contains the column, the row and, above them, the orientation in which the curve continues.
    static let gridPositions = steps { gridPosition, order in
        Entry(index: order, value: gridPosition)
    }

    /// An entry of a table without the orientations, in the lower eight bits.
    private struct Entry {
        var index: UInt16
        var value: UInt16
    }

    /// Returns a table with the entry of each orientation and grid position.
    ///
    /// A grid position has the column in its upper and the row in its lower four bits.
    private static func steps(_ entry: (_ gridPosition: UInt16, _ order: UInt16) -> Entry) -> [UInt16] {
        var table = [UInt16](repeating: 0, count: 4 << 8)
        for orientation in UInt16(0)..<4 {
            for gridPosition in UInt16(0)..<256 {
                var turn = CurveOrientation(code: orientation)
                let order = order(of: gridPosition, turn: &turn)
                let entry = entry(gridPosition, order)
                let index = orientation << 8 | entry.index
                table[Int(index)] = turn.code << 8 | entry.value
            }
        }
        return table
    }

    /// Returns eight bits of the curve, and sets the orientation in which the curve continues.
    private static func order(of gridPosition: UInt16, turn: inout CurveOrientation) -> UInt16 {
        let x = gridPosition >> 4
        let y = gridPosition & 15
        var order: UInt16 = 0
        for bit in (UInt16(0)..<4).reversed() {
            let quadrant = turn.applied(
                to: Quadrant(
                    right: (x >> bit) & 1,
                    upper: (y >> bit) & 1))
            order = order << 2 | (3 * quadrant.right) ^ quadrant.upper
            turn.enter(quadrant)
        }
        return order
    }

    /// A quarter of a cell: a bit 1 for the right half, and a bit 1 for the upper half.
    private struct Quadrant {
        var right: UInt16
        var upper: UInt16
    }

    /// The orientation of the curve in a quadrant: exchanged coordinates, and coordinates that count backward.
    private struct CurveOrientation {
        private var exchanged: UInt16
        private var backward: UInt16

        /// Creates the orientation with a code of two bits.
        init(code: UInt16) {
            exchanged = code & 1
            backward = code >> 1
        }

        /// The orientation in two bits.
        var code: UInt16 { backward << 1 | exchanged }

        /// Returns a quadrant in the orientation of the curve.
        func applied(to quadrant: Quadrant) -> Quadrant {
            let difference = (quadrant.right ^ quadrant.upper) & exchanged
            return Quadrant(
                right: quadrant.right ^ difference ^ backward,
                upper: quadrant.upper ^ difference ^ backward)
        }

        /// Changes the orientation for a quadrant in the orientation of the curve.
        mutating func enter(_ quadrant: Quadrant) {
            let lower = quadrant.upper ^ 1
            backward ^= quadrant.right & lower
            exchanged ^= lower
        }
    }
}

/// A box in the 32-bit form of the R*Tree module, in degrees.
package struct FloatBox: Equatable {
    /// The bounds in degrees, rounded away from the center.
    package var west: Float
    package var east: Float
    package var south: Float
    package var north: Float

    /// Creates a box from its bounds in degrees.
    package init(west: Float, east: Float, south: Float, north: Float) {
        self.west = west
        self.east = east
        self.south = south
        self.north = north
    }

    /// Extends the box so that it contains `other`.
    package mutating func formUnion(_ other: FloatBox) {
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
