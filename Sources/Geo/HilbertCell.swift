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
    package var gridPosition: (x: UInt32, y: UInt32) {
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
    package var box: FloatBox {
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
