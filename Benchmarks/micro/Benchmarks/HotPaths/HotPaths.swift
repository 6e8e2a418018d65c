import Base
import Benchmark
import Foundation
import Geo
import HabitIngest
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine
import StoreSpatiaLite

// Microbenchmarks of the hot paths of a load, a query and a report, on the sample data. The printed times are for one
// operation. Operations that take less than a few microseconds are measured in batches of 1,000.

private let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

private let lisbon = valid(Position(longitude: -9.1393, latitude: 38.7223))
private let day = valid(Day(year: 2026, month: 11, day: 21))

/// Unwraps a constant of this file, which must be valid.
private func valid<T>(_ value: T?) -> T {
    guard let value else { preconditionFailure("invalid constant") }
    return value
}

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], scalingFactor: .kilo, maxDuration: .seconds(2), maxIterations: 10_000)
    places()
    values()
    reading()
    rendering()
    questions()
}

// MARK: Positions

/// Measures distances from Lisbon to positions that are `meters` away.
private func distance(_ name: String, meters: Double) {
    let others = (0..<360).map {
        Geodesic.destination(from: lisbon, azimuth: Double($0), distance: .meters(meters))
    }
    Benchmark(name) { benchmark in
        for number in benchmark.scaledIterations {
            blackHole(Geodesic.distance(from: lisbon, to: others[number % others.count]))
        }
    }
}

private func places() {
    distance("distance, 5 km", meters: 5000)
    distance("distance, 5,000 km", meters: 5_000_000)
    Benchmark("box around 5 km") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(BoundingBox.around(lisbon, within: .kilometers(5))) }
    }
}

// MARK: Values

private func values() {
    Benchmark("instant from text") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(OffsetInstant("2026-11-21T08:22:34+01:00")) }
    }
    for (name, text) in [("ASCII", "felt great"), ("any script", "朝ラン, ночной бег")] {
        Benchmark("comment checked, \(name)") { benchmark in
            for _ in benchmark.scaledIterations { blackHole(try TextRule.comment.check(text)) }
        }
    }
    let history = ScheduleHistory(start: day.advanced(by: -364), end: nil, schedule: .everyDay)
    let outcomes = Outcomes((0..<365).filter { $0 % 7 != 3 }.map { (day.advanced(by: -$0), Outcome.done) })
    let standing = HabitStatistics(history: history, outcomes: outcomes, on: day)
    Benchmark("streaks of a year") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(standing.streaks) }
    }
    Benchmark("completion of a month") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(standing.completion(in: day.advanced(by: -29)...day)) }
    }
}

// MARK: Reading

private func reading() {
    Benchmark("CSV row read") { try read($0, sample("events-lisbon.csv"), InputFormat.csv) }
    for format in [OutputFormat.ndjson, .geojson] {
        Benchmark("\(format) row read") { benchmark in
            try read(benchmark, rendered(format), format == .ndjson ? .ndjson : .geojson)
        }
    }
}

private func sample(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: project.appendingPathComponent("sample-data/\(name)")))
}

private func read(_ benchmark: Benchmark, _ bytes: [UInt8], _ format: InputFormat) throws {
    var record = RawRecord()
    let open = {
        try openReader(ByteSource(bytes: bytes, name: "sample"), ReaderOptions(kind: .events, format: format))
    }
    var reader = try open()
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
        if case .end = try reader.next(into: &record) { reader = try open() }
        blackHole(record.line)
    }
}

// MARK: Rendering

private func rendering() {
    for format in OutputFormat.allCases where format != .text {
        Benchmark("\(format) row written") { benchmark in
            let (shape, row) = eventRow()
            let output = OutputBuffer(Nowhere())
            var renderer = try format.renderer(for: shape, into: output)
            try renderer.begin()
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { try renderer.append(row) }
        }
    }
}

private struct Nowhere: OutputSink {
    func write(_ bytes: RawSpan) throws {}
    func commit() throws {}
    func discard() {}
}

private func eventRow() -> (ResultShape, ValueRow) {
    let at = valid(OffsetInstant("2026-11-21T08:22:34+01:00"))
    let values: [Value] = [
        .text("e00002"), .text("alice"), .text("alice-run"), .text("Morning run"), .day(day),
        .integer(at.instant.microseconds), .text("felt great"), .text("done"), .boolean(false), .boolean(false),
        .point(lisbon), .integer(60),
    ]
    var shape = EventQuery(viewer: .operator).shape(labelled: "of", near: false)
    shape.columns.removeFirst()
    shape.identity.removeFirst()
    return (shape, ValueRow(values))
}

/// Returns the sample events in another format.
private func rendered(_ format: OutputFormat) throws -> [UInt8] {
    let output = OutputBuffer()
    try sampleStore().read { session in
        var query = EventQuery(viewer: .operator)
        query.sort = .stored
        let selection = try query.selection(in: session)
        var renderer = try format.renderer(for: selection.shape, into: output)
        try renderer.begin()
        try session.query(selection.sql) { row in
            try renderer.append(row)
            return true
        }
        try renderer.end()
    }
    return output.contents
}

// MARK: Queries

/// Returns an in-memory store with the sample data.
private func sampleStore() throws -> SpatiaLiteEngine {
    let store = try SpatiaLiteEngine.temporary()
    let loader = Loader(LoadOptions(), onRejection: { _ in })
    _ = try loader.load(InputPlan(paths: [project.appendingPathComponent("sample-data").path], kind: nil), into: store)
    return store
}

/// Measures a query for events, including its compilation, and discards the rows.
private func question(_ name: String, _ change: @escaping (inout EventQuery) -> Void) {
    Benchmark(name, configuration: .init(metrics: [.wallClock, .throughput], maxDuration: .seconds(2))) { benchmark in
        let store = try sampleStore()
        var query = EventQuery(viewer: .operator)
        change(&query)
        benchmark.startMeasurement()
        try store.read { session in
            try session.query(query.selection(in: session).sql) { row in
                row.withText(0) { blackHole($0.count) }
                return true
            }
        }
    }
}

private func questions() {
    question("query: near, 5 km") { $0.filter.near = Near(center: lisbon) }
    question("query: comment") { $0.filter.comment = "great" }
    question("query: a month") { ($0.filter.from, $0.filter.to) = (day.advanced(by: -29), day) }
}
