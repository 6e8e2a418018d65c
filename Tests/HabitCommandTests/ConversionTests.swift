import Foundation
import HabitTestSupport
import Testing

/// Tests that the files of the ogr2ogr commands in the documentation contain the exported values.
@Suite struct ConversionTests {
    /// The documented commands with a program, without the prompt.
    private static func commands(_ program: String) throws -> [String] {
        let page = try String(contentsOfFile: Program.repository + "/docs/parquet.md", encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("$ \(program) ") }.map { String($0.dropFirst(2)) }
    }

    /// Returns a folder with the documented GeoJSONSeq file and the files that ogr2ogr derives from it.
    private static let converted = Task { () async throws -> TemporaryFolder in
        let folder = try TemporaryFolder()
        let export = try #require(try commands("habitat").first { $0.contains("geojsonl") })
        let options = export.split(separator: " ").dropFirst().map(String.init)
        let store = try await SampleData.folder()
        let exported = try await Program.habitat(
            options.dropLast() + [folder.file("events.geojsonl")], in: store)
        try #require(exported.status == 0, "\(exported.errors)")
        for command in try commands("ogr2ogr") {
            let result = try await Program.run("/bin/sh", ["-c", command], in: folder.path)
            try #require(result.status == 0, "\(command): \(result.errors)")
            try #require(result.errors.isEmpty, "\(command): \(result.errors)")
        }
        return folder
    }

    /// Compares a converted file, which ogr2ogr reads, with the exported features.
    ///
    /// The arguments are the file, and the names of the compared properties as `exported=converted`.
    private static let script = """
        import datetime, json, subprocess, sys

        def instant(text):
            at = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
            return at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)

        def plain(name, value):
            if value in (None, ""):
                return None
            if name == "at":
                return instant(value)
            return value[:10] if name == "day" else value

        def position(feature):
            geometry = feature["geometry"]
            if geometry is None:
                values = feature["properties"]
                return (values["longitude"], values["latitude"]) if values.get("longitude") is not None else None
            return tuple(round(number, 7) for number in geometry["coordinates"][:2])

        name, layer, isLocated = sys.argv[1], sys.argv[2], sys.argv[3] == "located"
        pairs = [word.split("=") for word in sys.argv[4:]]
        text = subprocess.run(["ogr2ogr", "-f", "GeoJSON", "/vsistdout/", name, layer], capture_output=True, check=True).stdout
        features = json.loads(text)["features"]
        with open("events.geojsonl", encoding="utf-8") as file:
            exported = [json.loads(line.strip("\\x1e\\n")) for line in file]
        if isLocated:
            exported = [feature for feature in exported if feature["geometry"]]
        def rows(features, column):
            return sorted(
                ([plain(pair[0], feature["properties"].get(pair[column])) for pair in pairs] + [position(feature)]
                 for feature in features), key=str)
        a, b = rows(exported, 0), rows(features, 1)
        print(len(a), "equal" if a == b else [pair for pair in zip(a, b) if pair[0] != pair[1]][:2])
        """

    @Test(arguments: [
        ("events.gpkg", "events", "", "id habit title day at comment outcome has_photo unplanned"),
        ("events.fgb", "events", "located", "id habit title day at comment outcome has_photo unplanned"),
        ("events.kml", "events", "located", "id title=Name comment=description at"),
        ("events.gpx", "waypoints", "located", "id=src title=name comment=desc at=time"),
        ("events.xlsx", "events", "", "id habit title day at comment"),
    ])
    func convertedFileHasExportedValues(name: String, layer: String, rows: String, properties: String) async throws {
        let folder = try await Self.converted.value
        let pairs = properties.split(separator: " ").map { $0.contains("=") ? String($0) : "\($0)=\($0)" }
        let result = try await Program.run(
            "/usr/bin/python3", ["-c", Self.script, name, layer, rows] + pairs, in: folder.path)
        #expect(result.output == (rows == "located" ? "105 equal\n" : "133 equal\n"), "\(result)")
    }
}
