import Foundation
import Geo
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// A row in memory that implements only the requirements of the protocol.
struct TestRow: Row {
    enum Cell {
        case null
        case integer(Int64)
        case number(Double)
        case text(String)
        /// Text that may be invalid UTF-8.
        case bytes([UInt8])
        case blob([UInt8])
        case point(Double, Double)
    }

    let cells: [Cell]

    init(_ cells: Cell...) { self.cells = cells }

    func isNull(_ index: Int) -> Bool {
        if case .null = cells[index] { true } else { false }
    }

    func integer(_ index: Int) -> Int64 {
        if case .integer(let value) = cells[index] { value } else { 0 }
    }

    func number(_ index: Int) -> Double {
        if case .number(let value) = cells[index] { value } else { 0 }
    }

    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        switch cells[index] {
        case .text(let text): body(text.utf8.span)
        case .bytes(let bytes): body(bytes.span)
        default: return false
        }
        return true
    }

    func position(_ index: Int) -> Position? {
        if case .point(let longitude, let latitude) = cells[index] {
            Position(longitude: longitude, latitude: latitude)
        } else {
            nil
        }
    }

    func blob(_ index: Int) -> [UInt8] {
        if case .blob(let bytes) = cells[index] { bytes } else { [] }
    }

    func storage(_ index: Int) -> Storage {
        switch cells[index] {
        case .null: .null
        case .integer: .integer
        case .number: .number
        case .text, .bytes: .text
        case .blob, .point: .blob
        }
    }
}

/// Returns the output of a format for `rows`.
func render(
    _ format: OutputFormat,
    of shape: ResultShape,
    rows: [TestRow],
    options: RenderOptions = RenderOptions()
) throws -> String {
    let output = OutputBuffer()
    let renderer = try format.renderer(for: shape, options: options, into: output)
    try renderer.begin()
    for row in rows { try renderer.append(row) }
    try renderer.end()
    return output.text
}

/// Parses a JSON text.
func parsed(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
}

func object(_ text: String) throws -> [String: Any] { try parsed(text) as? [String: Any] ?? [:] }

/// A deterministic generator (SplitMix64) with a seed that tests print.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
