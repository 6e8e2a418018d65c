import Base
import Foundation
import HabitModel

@testable import HabitReport

/// A valid report, for tests that change a line.
enum ReportSample {
    static let header = [
        "-- title: Events near a place",
        "-- description: What happened within a distance of a place, nearest first.",
        "--   What lies exactly at the distance is in.",
        "-- parameter: near position required - Where.",
        "-- parameter: within distance default 5km - How far to look.",
        "-- parameter: min_visits integer optional - No fewer - or none.",
        "-- column: id text - The event's id.",
        "-- column: distance_m number m - Along the geodesic.",
        "-- column: longitude number degrees - East.",
        "-- column: latitude number degrees - North.",
        "-- key: id",
        "-- geometry: longitude latitude",
        "-- formats: text csv geojson html",
        "-- chart: map",
        "-- example: --near 38.7223,-9.1393 --within=800m",
    ]

    static let sql = [
        "SELECT e.id, n.distance_m, e.longitude, e.latitude",
        "FROM events_near(:near_longitude, :near_latitude, :within) AS n",
        "JOIN events AS e ON e.id = n.id",
        "WHERE :min_visits IS NULL OR 1 >= :min_visits",
        "ORDER BY n.distance_m, e.id",
    ]

    static var lines: [String] { header + sql }
    static var text: String { lines.joined(separator: "\n") + "\n" }

    /// Returns the sample with the line that begins with `start` replaced by `lines`.
    static func replacing(_ start: String, with lines: String...) -> String {
        self.lines.flatMap { $0.hasPrefix(start) ? lines : [$0] }.joined(separator: "\n")
    }

    static func report(_ text: String = text, id: String = "near-me") throws -> Report {
        try Report(id: id, text: text, file: "\(id).sql")
    }

    static func parameter(_ kind: ReportParameter.Kind, _ need: ReportParameter.Need = .optional) -> ReportParameter {
        ReportParameter(name: "a_b", kind: kind, need: need, meaning: "Something.", line: 1)
    }
}

/// Returns the `HabitError` that `body` throws, or `nil` if it throws none.
func failure(_ body: () throws -> Void) -> HabitError? {
    do { try body() } catch { return error as? HabitError }
    return nil
}

/// A temporary folder that is removed with the object.
final class ReportFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }
}
