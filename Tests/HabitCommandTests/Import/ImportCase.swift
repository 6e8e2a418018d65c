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

    /// A store with the user of the cases and the user bob, and with the limits of the cases.
    static let store = StoreTemplate(["users.csv": users, "settings.csv": settings])
    /// A store with the same users and the default limits.
    static let storeWithDefaultLimits = StoreTemplate(["users.csv": users])

    private static let users = "id,time_zone\n\(all?.user ?? ""),\(zone)\nbob,\(zone)\n"
    private static let zone = all?.time_zone ?? ""
    private static let settings = (all?.limits ?? [:]).reduce("name,value\n") { text, limit in
        text + "\(limit.key)-limit,\(limit.value)\n"
    }
}
