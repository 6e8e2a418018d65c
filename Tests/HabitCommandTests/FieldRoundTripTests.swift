import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

/// Tests that every field of every record kind is stored by a load and written by an export.
@Suite struct FieldRoundTripTests {
    /// The values of fields that refer to other records or have an effect on them.
    ///
    /// They differ from the defaults of the store, so that the export of a lost value differs.
    private static func fixedValue(of field: Field, in kind: RecordKind) -> String? {
        switch (field, kind) {
        case (.id, .users): "w"
        case (.id, _): "\(kind.rawValue)-1"
        case (.user, .claims), (.followee, _), (.recipient, _), (.blocker, _): "v"
        case (.user, _), (.follower, _), (.sender, _): "u"
        // A block would end the follow and the claim of the users u and v.
        case (.blocked, _): "w"
        case (.habit, _): "habits-1"
        case (.item, _): "items-1"
        case (.name, .settings): "item-name-limit"
        case (.value, _): "77"
        case (.email, _): "ann@example.org"
        case (.timeZone, _): "Asia/Tokyo"
        case (.shareLocation, _): "false"
        case (.privatePlaces, _): "38.7223,-9.1393 300m home #0123456789abcdef"
        case (.start, _): "2026-01-01"
        case (.symbol, _): "🏊🏽‍♀️"
        case (.end, _): "2026-12-31"
        case (.day, _): "2026-05-04"
        case (.at, _): "2026-05-04T05:00:00+02:00"
        case (.state, _): "given"
        case (.photo, _): "photos/exif.png"
        default: nil
        }
    }

    /// Returns the exported value of a field.
    private static func value(of field: Field, in kind: RecordKind) throws -> String {
        if let value = fixedValue(of: field, in: kind) { return value }
        return switch field.form(in: kind) {
        case .text: field.name
        case .choice(let choices): try #require(choices.last)
        case .day: "2026-06-01"
        case .instant: "2026-03-04T05:06:07.500-03:30"
        case .schedule: "mon wed fri"
        case .count: field == .periodDays ? "7" : "3"
        case .amount: "2.5"
        case .integer(let range): "\(range.upperBound)"
        case .timeOfDay: "23:59"
        case .flag: "true"
        case .longitude: "10.5"
        case .latitude: "-50.25"
        case .offset: "+02:00"
        case .photo: "photos/exif.png"
        }
    }

    /// Returns the records of a kind, which together have a value in each field.
    ///
    /// Some fields exclude each other: a schedule consists of weekdays or of a target, and a deleted post has no content.
    private static func records(of kind: RecordKind) throws -> [[Field: String]] {
        var first: [Field: String] = [:]
        for field in kind.fields { first[field] = try value(of: field, in: kind) }
        var second = first
        switch kind {
        case .habits, .schedules:
            (first[.times], first[.periodDays]) = (nil, nil)
            second[.days] = nil
        case .posts:
            first[.deletedAt] = nil
            second = second.filter { [.id, .user, .deletedAt].contains($0.key) }
        case .settings, .users, .pauses, .follows, .blocks, .events, .items, .claims, .messages, .reads:
            return [first]
        }
        if second[.id] != nil { second[.id] = "\(kind.rawValue)-2" }
        if second[.from] != nil { second[.from] = "2026-07-01" }
        return [first, second]
    }

    private static func quoted(_ value: String) -> String {
        value.contains(",") ? "\"\(value)\"" : value
    }

    private static func store() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(AwkwardData.photoWithEXIF(), to: "data/photos/exif.png")
        try folder.write("id\nu\nv\n", to: "data/users-others.csv")
        for kind in RecordKind.allCases {
            var lines = [kind.fields.map(\.name).joined(separator: ",")]
            for record in try records(of: kind) {
                var record = record
                // The offset has an effect only on an instant without an offset.
                if record[.utcOffset] != nil { record[.at] = "1777863600" }
                lines.append(kind.fields.map { field in quoted(record[field] ?? "") }.joined(separator: ","))
            }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "data/\(kind.rawValue).csv")
        }
        let load = try await Program.habitat("ingest", "data", "--strict", "--quiet", in: folder)
        try #require(load.status == 0, "\(load.errors)")
        let export = try await Program.habitat("export", "out", "--quiet", in: folder)
        try #require(export.status == 0, "\(export.errors)")
        return folder
    }

    private static let shared = Task { try await store() }

    @Test(arguments: RecordKind.allCases) func everyFieldSurvivesLoadAndExport(kind: RecordKind) async throws {
        let rows = parseCSV(try await Self.shared.value.read("out/\(kind.rawValue).csv"))
        let header = try #require(rows.first).map { $0 ?? "" }
        let records = try Self.records(of: kind)
        #expect(Set(records.flatMap(\.keys)) == Set(kind.fields))
        for record in records {
            let isExported = rows.dropFirst().contains { row in
                record.allSatisfy { field, value in
                    guard field != .utcOffset else { return true }
                    guard let index = header.firstIndex(of: field.name), let cell = row[index] else { return false }
                    return field == .photo ? cell.hasPrefix("photos/") : cell == value
                }
            }
            #expect(isExported, "\(record) in \(rows)")
        }
    }
}
