import HabitTestSupport
import Testing

@testable import Rendering

/// Tests of the bytes of vector tiles.
@Suite struct VectorTileLayerTests {
    @Test func layerWithoutPointsHasNoBytes() { #expect(VectorTileLayer(name: "events").tile.isEmpty) }

    /// The bytes follow from the specification by hand.
    @Test func bytesOfPointAreThoseOfSpecification() {
        var layer = VectorTileLayer(name: "a", keys: ["k", "n"])
        layer.append(x: 25, y: 17, values: [.text("v"), .integer(-3)])
        let feature: [UInt8] = [0x12, 4, 0, 0, 1, 1, 0x18, 1, 0x22, 3, 9, 50, 34]
        let keys: [UInt8] = [0x1A, 1, 0x6B, 0x1A, 1, 0x6E]
        let values: [UInt8] = [0x22, 3, 0x0A, 1, 0x76, 0x22, 2, 0x30, 5]
        let parts = [
            [0x78, 2, 0x0A, 1, 0x61], [0x12, UInt8(feature.count)] + feature, keys, values, [0x28, 0x80, 0x20],
        ]
        let content = Array(parts.joined())
        #expect(layer.tile == [0x1A, UInt8(content.count)] + content)
    }

    @Test func numberPrecedesPropertiesOfPoint() throws {
        var layer = VectorTileLayer(name: "a")
        layer.append(x: 25, y: 17, id: 300)
        let feature: [UInt8] = [0x08, 0xAC, 2, 0x12, 0, 0x18, 1, 0x22, 3, 9, 50, 34]
        let start: [UInt8] = [0x78, 2, 0x0A, 1, 0x61, 0x12, UInt8(feature.count)]
        let end: [UInt8] = [0x28, 0x80, 0x20]
        let content = start + feature + end
        #expect(layer.tile == [0x1A, UInt8(content.count)] + content)
        let tile = try VectorTile(layer.tile)
        #expect(tile.layers.first?.points.first?.number == 300)
    }

    @Test func pointHasNoPropertyWithoutValue() throws {
        var layer = VectorTileLayer(name: "a", keys: ["k", "m", "n"])
        layer.append(x: 1, y: 2, values: [.text("v"), nil, .integer(3)])
        layer.append(x: 3, y: 4, values: [nil, .text("v")])
        let points = try #require(try VectorTile(layer.tile).layers.first).points
        #expect(points.map(\.properties) == [["k": "v", "n": "3"], ["m": "v"]])
    }

    @Test func lengthOfVarintIsNumberOfItsBytes() {
        let powers = (0..<64).map { bit in UInt64(1) << bit }
        for number in powers + powers.map({ power in power - 1 }) + [.max] {
            var bytes: [UInt8] = []
            bytes.append(varint: number)
            #expect(number.varintLength == bytes.count, "\(number)")
        }
    }

    @Test func decoderReadsEveryPointAndProperty() throws {
        var random = SeededGenerator(seed: 5)
        var layer = VectorTileLayer(name: "located-events", keys: ["id", "user", "count"])
        let points = (0..<3000).map { number in
            (
                x: Int.random(in: 0..<VectorTileLayer.extent, using: &random),
                y: Int.random(in: 0..<VectorTileLayer.extent, using: &random),
                id: "Ü\(number)", user: "u\(number % 7)", count: Int64.random(in: .min / 2 ... .max / 2, using: &random)
            )
        }
        for point in points {
            layer.append(
                x: point.x, y: point.y,
                values: [.text(point.id), .text(point.user), .integer(point.count)])
        }
        let tile = try VectorTile(layer.tile)
        let read = try #require(tile.layers.first)
        #expect(tile.layers.count == 1)
        #expect(read.name == "located-events")
        #expect(read.extent == 4096)
        #expect(read.version == 2)
        #expect(read.points.count == points.count)
        #expect(layer.count == points.count)
        for (read, point) in zip(read.points, points) {
            #expect(read.x == point.x)
            #expect(read.y == point.y)
            #expect(read.properties == ["id": point.id, "user": point.user, "count": "\(point.count)"])
        }
    }
}
