import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests random outcome and completion fields in every format against a simple model.
@Suite(.engineIndependent) struct OutcomeFuzzTests {
    /// The meaning of one cell or member.
    private enum Meaning: Equatable { case absent, empty, done, notDone, skipped, invalid }

    /// The meaning of a record.
    ///
    /// The outcome of an event is `nil` if the record leaves the stored one unchanged.
    private enum Expected: Equatable { case refused, notDone, event(Outcome?) }

    private struct Cell {
        var field: Field
        var meaning: Meaning
        /// The value as JSON.
        ///
        /// A CSV cell is the same without the quotes.
        var json: String
    }

    private static let fields: [Field] = [.outcome, .done, .completed, .checked, .value]

    private static func values(of field: Field) -> [(Meaning, [String])] {
        let common: [(Meaning, [String])] = [
            (.empty, ["null", "\"\""]),
            (.done, ["true", "1", "\"1\"", "\"TRUE\"", "\"yes\"", "\"Yes\""]),
            (.notDone, ["false", "0", "\"0\"", "\"False\"", "\"NO\""]),
            (.invalid, ["\"maybe\"", "\"y\"", "\" \"", "{\"a\":1}"]),
        ]
        switch field {
        case .outcome:
            return common + [
                (.done, ["\"Done\"", "\"completed\""]),
                (.notDone, ["\"missed\""]),
                (.invalid, ["2", "\"todo\""]),
                (.skipped, ["\"skip\"", "\"SKIPPED\""]),
            ]
        case .value:
            return common + [
                (.done, ["2", "-1", "0.5", "\"7.25\"", "1e3"]),
                (.notDone, ["0.0", "-0", "\"0.00\"", "\"0e9\""]),
                (.invalid, ["\"0x1\"", "\"inf\"", "\"1,5\""]),
            ]
        default:
            return common + [
                (.invalid, ["2", "-1", "0.5", "\"done\""]),
                (.done, ["1.0"]),
                (.notDone, ["0.0"]),
            ]
        }
    }

    private static func cell(_ field: Field, _ random: inout SeededGenerator) -> Cell {
        // Half of the cells are empty, because a row with five random values is rarely an event.
        guard Bool.random(using: &random), let (meaning, forms) = values(of: field).randomElement(using: &random),
            let json = forms.randomElement(using: &random)
        else { return Cell(field: field, meaning: .empty, json: "null") }
        return Cell(field: field, meaning: meaning, json: json)
    }

    private static func expected(_ cells: [Cell]) -> Expected {
        let outcome = cells.first { $0.field == .outcome }?.meaning ?? .absent
        let completions = cells.filter { $0.field != .outcome }.map(\.meaning)
        let all = completions + [outcome]
        if all.contains(.invalid) { return .refused }
        if all.contains(.notDone) { return .notDone }
        if outcome == .skipped { return .event(.skipped) }
        if all.contains(.done) { return .event(.done) }
        return completions.contains(.empty) ? .notDone : .event(nil)
    }

    private static func read(_ text: String, _ format: InputFormat) throws -> [Expected] {
        let reader = try openReader(
            ByteSource(bytes: Array(text.utf8), name: "events"), ReaderOptions(kind: .events, format: format))
        var decoder = RecordDecoder(nullIsland: .keep)
        var record = RawRecord()
        var found: [Expected] = []
        while case .record = try reader.next(into: &record) {
            do throws(HabitError) {
                guard case .event(let event)? = try decoder.decode(record, photos: PhotoSource(folder: nil)) else {
                    found.append(.notDone)
                    continue
                }
                found.append(.event(event.outcome.value))
            } catch {
                #expect(error.code == .fieldInvalid, "\(error)")
                #expect(fields.map(\.name).contains(error.field ?? ""), "\(error)")
                found.append(.refused)
            }
        }
        return found
    }

    private static func name(_ field: Field, _ random: inout SeededGenerator) -> String {
        [field.name, field.name.uppercased(), field.name.capitalized].randomElement(using: &random) ?? ""
    }

    private static func table(
        _ rows: [[Cell]], fields: [Field], using random: inout SeededGenerator
    ) -> String {
        var text = (["habit", "day"] + fields.map { name($0, &random) }).joined(separator: ",") + "\n"
        for row in rows {
            let cells = row.map { cell in
                let plain = cell.json == "null" ? "" : cell.json.trimmingCharacters(in: ["\""])
                return Bool.random(using: &random) || plain.contains(where: { ",\"".contains($0) })
                    ? "\"\(plain.replacing("\"", with: "\"\""))\"" : plain
            }
            text += (["run", "2026-11-20"] + cells).joined(separator: ",") + "\n"
        }
        return text
    }

    private static func object(_ row: [Cell], _ random: inout SeededGenerator) -> String {
        var members = row.map { "\"\(name($0.field, &random))\":\($0.json)" }
        members += ["\"habit\":\"run\"", "\"day\":\"2026-11-20\""]
        return "{\(members.shuffled(using: &random).joined(separator: ","))}"
    }

    @Test func everyFormatAgreesWithModel() throws {
        let seed =
            ProcessInfo.processInfo.environment["HABITAT_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        print("HABITAT_SEED=\(seed) for outcomes")
        var random = SeededGenerator(seed: seed)
        var counts: [Int] = [0, 0, 0]
        for _ in 0..<200 {
            let fields = Self.fields.shuffled(using: &random).filter { _ in Int.random(in: 0..<5, using: &random) > 1 }
            let rows = (0..<20).map { _ in fields.map { Self.cell($0, &random) } }
            let expected = rows.map(Self.expected)
            for one in expected { counts[one == .refused ? 0 : one == .notDone ? 1 : 2] += 1 }
            let table = Self.table(rows, fields: fields, using: &random)
            #expect(try Self.read(table, .csv) == expected, "seed \(seed)")
            // JSON omits a member if the table has an empty cell, so each object has some of the fields.
            let some = rows.map { row in row.filter { _ in Bool.random(using: &random) } }
            let objects = some.map { Self.object($0, &random) }
            let meanings = some.map(Self.expected)
            #expect(try Self.read(objects.joined(separator: "\n"), .ndjson) == meanings, "seed \(seed)")
            let features = objects.map { "{\"type\":\"Feature\",\"geometry\":null,\"properties\":\($0)}" }
            let collection = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
            #expect(try Self.read(collection, .geojson) == meanings, "seed \(seed)")
        }
        #expect(counts.allSatisfy { $0 > 100 }, "seed \(seed): \(counts)")
    }
}
