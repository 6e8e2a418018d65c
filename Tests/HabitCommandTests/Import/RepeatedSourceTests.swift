import Foundation
import HabitTestSupport
import Testing

/// Tests of imports whose inputs contain the same entries in two formats.
@Suite struct RepeatedSourceTests {
    @Test(arguments: [["u.json", "h.csv"], ["h.csv", "u.json"], ["."]])
    func bothExportsOfHabiticaAreReported(inputs: [String]) async throws {
        let folder = try await ImportCases.store.copy()
        let input = try TemporaryFolder()
        try input.write(
            #"{"tasks": {"dailys": [{"_id": "a", "text": "Tea", "history": [{"date": 1780295400000, "value": 1}]}]}, "preferences": {}}"#,
            to: "u.json")
        try input.write(
            "Task Name,Task ID,Task Type,Date,Value\nTea,a,daily,2026-06-01 06:30:00,1\n", to: "h.csv")
        let paths = inputs.map { $0 == "." ? input.path : input.file($0) }
        let run = try await Program.habitat(["import"] + paths + ["--user", "ana"], in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("contain the same habits"))
        #expect(run.errors.contains("import only one of the two files"))
        for path in paths where inputs.count == 2 {
            let own = try await ImportCases.store.copy()
            let alone = try await Program.habitat("import", path, "--user", "ana", in: own)
            #expect(!alone.errors.contains("contain the same habits"))
        }
    }

    private static let activities = """
        Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Filename
        9001,"Jun 1, 2026, 7:30:00 AM",Morning,Run,,1800,

        """

    private static func gpx(_ start: String) -> String {
        """
        <gpx><trk><type>running</type><trkseg><trkpt lat="1" lon="2"><time>\(start)</time></trkpt>\
        <trkpt lat="1" lon="2"><time>2026-06-01T08:00:00Z</time></trkpt></trkseg></trk></gpx>
        """
    }

    @Test(arguments: [("2026-06-01T07:30:00Z", true), ("2026-06-01T07:31:00Z", false)])
    func workoutOfTwoFormatsIsReported(start: String, isRepeated: Bool) async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write(Self.activities, to: "activities.csv")
        try folder.write(Self.gpx(start), to: "a.gpx")
        let run = try await Program.habitat(
            "import", "activities.csv", "a.gpx", "--user", "ana", "--tracks", "events", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("the same workout can be stored twice") == isRepeated, "\(run.errors)")
    }

    @Test func visitOfTwoFormatsIsReported() async throws {
        let folder = try await ImportCases.store.copy()
        let place = #""placeLocation":{"latLng":"48.2°, 16.4°"}"#
        try folder.write(
            #"{"semanticSegments":[{"startTime":"2026-06-01T08:00:00Z","endTime":"2026-06-01T09:00:00Z","visit":{"topCandidate":{"semanticType":"Home",\#(place)}}}]}"#,
            to: "Timeline.json")
        try folder.write(
            #"{"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":482000000,"longitudeE7":164000000,"name":"Flat"},"duration":{"startTimestamp":"2026-06-01T08:00:00Z"}}}]}"#,
            to: "2026_JUNE.json")
        let run = try await Program.habitat("import", "Timeline.json", "2026_JUNE.json", "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("the same visit can be stored twice"))
        let alone = try await Program.habitat("import", "Timeline.json", "--user", "ana", in: folder)
        #expect(!alone.errors.contains("stored twice"))
    }
}
