import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

@Suite(.engineIndependent) struct InputContentReaderTests {
    private func content(_ text: String, _ format: InputFormat? = nil) throws -> InputContent? {
        try InputContent(of: InputWindow(source(Array(text.utf8), chunk: 3)), ReaderOptions(format: format))
    }

    @Test(
        arguments: [
            ("habit,day\n", .csv, .rows),
            ("habit\tday\n", .tsv, .rows),
            ("habit\tday,at\n", .csv, .rows),
            ("\"habit,x\"\tday\nh1,2\n", .tsv, .rows),
            ("habit\n", .csv, .rows),
            ("[]", .json, .array),
            (" \n[{\"id\":1}]", .json, .array),
            ("{\"id\":1}", .ndjson, .lines),
            ("{\"id\":1}\n{\"id\":2}\n", .ndjson, .lines),
            ("\n{\"id\":1}\n", .ndjson, .lines),
            ("{\"id\":1\n{\"id\":2}\n", .ndjson, .lines),
            ("{\"id\":\"1}\n{\"id\":\"2\"}\n", .ndjson, .lines),
            ("{\n  \"id\": 1\n}\n", .ndjson, .single),
            ("{}", .ndjson, .lines),
            ("{", .ndjson, .lines),
            ("{\"type\":\"FeatureCollection\",\"features\":[]}", .geojson, .collection),
            ("{\"name\":{\"type\":\"Feature\"},\"type\" : \"FeatureCollection\"", .geojson, .collection),
            ("{\"features\" : [{\"type\":\"Feature\"}],\"type\":\"FeatureCollection\"}", .geojson, .collection),
            ("{\"type\":\"Feature\",\"geometry\":null}\n", .geojsonseq, .lines),
            ("{\"geometry\":null,\"type\":\"Feature\"}\n{\"type\":\"Feature\"}", .geojsonseq, .lines),
            ("{\"type\":\"Feature\",\n\"geometry\":null}\n", .geojson, .single),
            ("\u{1e}{\"type\":\"Feature\"}\n", .geojsonseq, .recordSeparators),
            ("{\"text\":\"\\\"type\\\":\\\"FeatureCollection\\\"\"}\n", .ndjson, .lines),
        ] as [(String, InputFormat, InputContent.Framing)])
    func formatIsDetectedFromContent(text: String, format: InputFormat, framing: InputContent.Framing) throws {
        #expect(try content(text) == InputContent(format: format, framing: framing))
        #expect(try content("\u{feff}" + text) == InputContent(format: format, framing: framing))
    }

    @Test(
        arguments: [
            ("[]", .csv, .rows), ("habit,day", .tsv, .rows), ("{\n\"id\":1}", .ndjson, .lines),
            ("{\"id\":1}", .json, .single),
            ("[]", .json, .array), ("{\"type\":\"Feature\"}", .geojson, .single),
            ("{\"features\":[", .geojson, .collection),
            ("{\"type\":\"Feature\"}", .geojsonseq, .lines), ("\u{1e}{}", .geojsonseq, .recordSeparators),
            ("\u{1e}{}", .ndjson, .lines),
        ] as [(String, InputFormat, InputContent.Framing)])
    func givenFormatIsUsedWithoutDetection(text: String, format: InputFormat, framing: InputContent.Framing) throws {
        #expect(try content(text, format) == InputContent(format: format, framing: framing))
    }

    @Test(arguments: ["", "\u{feff}", "\n", " \r\n\t"])
    func emptyInputHasNoRecords(text: String) throws {
        #expect(try readAll(text) == Reading(format: .csv))
        #expect(try readAll(text, kind: nil) == Reading(format: .csv))
    }

    @Test(arguments: InputFormat.allCases) func emptyInputHasNoRecordsInAnyFormat(format: InputFormat) throws {
        #expect(try readAll("", kind: nil, format: format) == Reading(format: format))
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x68, 0],
            [0xFE, 0xFF, 0, 0x68],
            [0xFF, 0xFE, 0, 0, 0x68],
            [0, 0, 0xFE, 0xFF],
            [0x68, 0, 0x61, 0, 0x0A, 0],
            [0x68, 0x61, 0],
        ] as [[UInt8]])
    func inputThatIsNotUTF8IsRefused(bytes: [UInt8]) {
        for format in [nil] + InputFormat.allCases.map(Optional.some) {
            #expect(failure { _ = try readAll(bytes, format: format) }?.code == .encodingInvalid)
        }
    }

    @Test func formatIsDetectedFromLongFirstObject() throws {
        let long = String(repeating: "x", count: 200_000)
        let text = "{\"name\":\"\(long)\",\"type\":\"FeatureCollection\",\"features\":[]}"
        #expect(try content(text)?.format == .geojson)
    }
}
