import Foundation
import HabitTestSupport
import Testing

/// A case of `Samples/expected.json`: an input with the expected results of its import.
struct ImportCase: Decodable, Sendable, CustomTestStringConvertible {
    struct HabitRow: Decodable, Sendable {
        var id, title, reason, days, start, end, unit: String?
        var times, period_days: Int?
        var target_amount: Double?
    }

    struct EventRow: Decodable, Sendable {
        var habit, habit_id, day, outcome, comment, at, id: String?
        var amount, latitude, longitude: Double?
    }

    struct PostRow: Decodable, Sendable {
        var id, at, caption: String?
        var latitude, longitude: Double?
        var photo: Bool
    }

    /// The expected numbers in a store with the default limits.
    struct Limited: Decodable, Sendable {
        var habits, events: Int
        var habits_refused, events_refused: [String: Int]
    }

    var file: String
    var options: [String]
    var format: String
    var read, habits, events, posts: Int
    var skipped, rejected: [String: Int]
    var with_limits_of_a_new_store: Limited?
    var habit_rows: [HabitRow]
    var event_rows: [EventRow]
    var post_rows: [PostRow]

    var testDescription: String { ([file] + options).joined(separator: " ") }

    /// The arguments of the import, except the user.
    var arguments: [String] {
        let options = options.map { option in
            option.hasPrefix("{") ? ImportCases.folder + "/" + option.dropFirst().dropLast() : option
        }
        return ["import", ImportCases.folder + "/" + file, "--format", "csv"] + options
    }
}

/// The cases of `Samples/expected.json`.
struct ImportCases: Decodable {
    var user: String
    var time_zone: String
    var limits: [String: Int]
    var cases: [ImportCase]

    static let folder = Program.repository + "/Tests/HabitCommandTests/Import/Samples"

    static let all: ImportCases? = try? JSONDecoder().decode(
        ImportCases.self, from: Data(contentsOf: URL(fileURLWithPath: folder + "/expected.json")))

    /// Creates a store with the user of the cases and the user bob, with the limits of the cases or the default limits.
    func store(hasLimits: Bool) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in [user, "bob"] {
            _ = try await Program.habitat("init", in: folder)
            let added = try await Program.habitat("user", "add", name, "--time-zone", time_zone, in: folder)
            guard added.status == 0 else { throw CocoaError(.featureUnsupported, userInfo: ["run": added.errors]) }
        }
        if hasLimits {
            for (field, limit) in limits {
                _ = try await Program.habitat("setting", "set", "\(field)-limit", String(limit), in: folder)
            }
        }
        return folder
    }
}
