import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests that no value of an input is dropped without a word: it is a rejected entry, a skipped entry or a notice.
@Suite(.engineIndependent) struct ReportedValueTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The entries of the inputs as short texts.
    private func entries(_ path: String, options: ImportOptions = ImportOptions()) throws -> [String] {
        var texts: [String] = []
        for part in try ImportPlan(paths: [path], options: options).parts {
            try part.importer.init().records(of: part.input) { entry in texts.append(text(of: entry)) }
        }
        return texts
    }

    private func text(of entry: ImportEntry) -> String {
        switch entry {
        case .habit(let habit): "habit \(habit.title)"
        case .event(let event): "event \(event.amount.value ?? -1)"
        case .post(let post): "post \(post.caption)"
        case .skipped(let entry): entry.reason.rawValue
        case .rejected(let entry): entry.error.code.slug
        case .unreadable(let value): "\(value.kind) \(value.example ?? "")"
        case .notice(let notice): notice.message
        }
    }

    private func error(_ path: String, format: String? = nil) throws -> HabitError {
        var options = ImportOptions()
        options.format = format
        return try #require(
            throws: HabitError.self, performing: { try ImportPlan(paths: [path], options: options) })
    }

    private func track(_ path: String, options: ImportOptions = ImportOptions()) throws -> [TrackItem] {
        var items: [TrackItem] = []
        for part in try ImportPlan(paths: [path], options: options).parts {
            let importer = try #require(part.importer.init() as? any TrackImporter)
            try importer.track(of: part.input) { items.append($0) }
        }
        return items
    }

    // MARK: Loop

    @Test(
        arguments: [
            "Date,Value,Notes\n2026-10-29,YES_MANUAL,rain\n", "Date,Value,Notes\n2026-10-29,7500,\n",
            "Date,Value\n2026-10-29,2\n", "2015-01-25,2\n2015-01-24,0\n", "2015-01-25,YES_MANUAL,rain\n",
        ])
    func fileOfOneHabitNamesCompleteExport(text: String) throws {
        let path = try folder.write(text, to: "Loop/001 Run/Checkmarks.csv")
        for (format, code) in [(nil, ErrorCode.formatNotRecognised), ("loop-csv", .formatMismatch)] {
            for input in [path, folder.file("Loop/001 Run"), folder.file("Loop")] {
                let error = try error(input, format: format)
                #expect(error.code == code)
                #expect(error.message.contains("a file of one habit from the CSV export of Loop"))
                #expect(error.message.contains("import the complete ZIP file of the export"))
                #expect(error.message.contains("or the folder with 'Habits.csv'"))
            }
        }
        try folder.write("Position,Name\n001,Run\n", to: "Loop/Habits.csv")
        for input in [path, folder.file("Loop/001 Run")] {
            #expect(try error(input).message.contains("or the folder '\(folder.file("Loop"))'"))
        }
    }

    @Test func tableOfOtherProgramsIsNotFileOfLoop() throws {
        let path = try folder.write("2015-01-25,2\n2015-01-24,0\n", to: "table.csv")
        #expect(try !error(path).message.contains("Loop"))
    }

    @Test func entriesWithoutHabitAreCounted() throws {
        try folder.write(
            "Position,Name\n001,Run\n001,Walk\n", to: "Habits.csv")
        try folder.write("Date,Value,Notes\n2026-05-01,2,\n", to: "001 Run/Checkmarks.csv")
        try folder.write("Date,Value,Notes\n2026-05-01,2,\n", to: "001 Walk/Checkmarks.csv")
        try folder.write("Date,Value,Notes\n2026-05-02,2,rain\n2026-05-03,0,\n", to: "007 Tea/Checkmarks.csv")
        let texts = try entries(folder.path)
        #expect(texts.count { $0 == "no-habit" } == 3)
        #expect(texts.count { $0.hasPrefix("event") } == 1)
        #expect(texts.contains("duplicate-key"))
        let notice = texts.last ?? ""
        #expect(notice.hasPrefix("2 files belong to no habit, for example '"))
        #expect(notice.contains("001 Walk/Checkmarks.csv"))
    }

    @Test func unknownWordsOfLoopAreReported() throws {
        try folder.write(
            "Position,Name,Type,Target Type,Archived?\n001,Run,COUNTER,AT_ABOUT,maybe\n002,Read,YES_NO,,false\n",
            to: "Habits.csv")
        try folder.write("Date,Value,Notes\n2026-05-01,2,\n", to: "001 Run/Checkmarks.csv")
        let texts = try entries(folder.path)
        #expect(texts.contains("kind 'COUNTER'"))
        #expect(texts.contains("target 'AT_ABOUT'"))
        #expect(texts.contains("kind 'maybe'"))
    }

    // MARK: OwnTracks

    @Test(
        arguments: [
            #"{"count":0,"locations":[]}"#, #"{"locations":[]}"#,
            #"{"count":0,"data":[],"status":200,"version":"0.9.1"}"#,
        ])
    func emptyListOfOwnTracksHasNoEntries(text: String) throws {
        let path = try folder.write(text, to: "ocat.json")
        #expect(try ImportPlan(paths: [path], options: ImportOptions()).inputs.map(\.format) == ["owntracks"])
        #expect(try entries(path).isEmpty)
        #expect(try track(path).isEmpty)
    }

    @Test func declaredEmptyArrayIsOwnTracks() throws {
        let path = try folder.write("[]", to: "ocat.json")
        var options = ImportOptions()
        options.format = "owntracks"
        #expect(try entries(path, options: options).isEmpty)
        #expect(try error(path).code == .formatNotRecognised)
    }

    @Test(arguments: [#"{"data":[]}"#, "{}", #"{"count":0,"rows":[]}"#])
    func otherEmptyDocumentsAreNotOwnTracks(text: String) throws {
        #expect(try error(try folder.write(text, to: "a.json")).code == .formatNotRecognised)
    }

    private static let home = #"{"_type":"location","tst":1767258000,"lat":48.2,"lon":16.37,"inregions":["Home"]}"#
    private static let away = #"{"_type":"location","tst":1767258600,"lat":48.3,"lon":16.37}"#

    @Test func singleMessageIsRead() throws {
        for text in [Self.home, Self.home.replacing(",", with: ",\n  ")] {
            let path = try folder.write(text, to: "a.json")
            #expect(try entries(path) == ["post Home"])
            #expect(try track(path).count == 1)
        }
    }

    @Test func linesWithoutTimeAreRead() throws {
        let lines = [#"{"_type":"lwt","tst":1767257000}"#, Self.home, "", Self.away, "{", "damaged"]
        let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "a.ndjson")
        #expect(try entries(path) == ["not-a-location", "post Home", "track-point", "json-invalid", "line-invalid"])
        #expect(try track(path).count == 4)
    }

    @Test func linesWithAndWithoutTimeAreMixed() throws {
        let path = try folder.write("2026-01-01T09:00:00Z\t*\t\(Self.home)\n\(Self.away)\n", to: "a.rec")
        #expect(try entries(path) == ["post Home", "track-point"])
    }

    @Test func linesOfOtherProgramsAreNotOwnTracks() throws {
        let path = try folder.write("{\"level\":\"info\"}\n{\"level\":\"warn\"}\n", to: "a.ndjson")
        #expect(try error(path).code == .formatNotRecognised)
    }

    // MARK: Numbers

    @Test(arguments: ["\"deep\"", "true", "{}"]) func unreadableLevelOfVisitIsCounted(level: String) throws {
        let visit = """
            {"startTime":"2026-06-01T08:00:00Z","endTime":"2026-06-01T09:00:00Z","visit":{"hierarchyLevel":\(level),\
            "topCandidate":{"semanticType":"Home","placeLocation":{"latLng":"48.2°, 16.4°"}}}}
            """
        for text in ["{\"semanticSegments\":[\(visit)]}", "[\(visit)]"] {
            let path = try folder.write(text, to: "timeline.json")
            let found = try entries(path)
            #expect(found.first == "post Home")
            #expect(found.contains { $0.hasPrefix("visitLevel") })
            let items = try track(path)
            #expect(items.count == 1)
            if case .unreadable? = items.first {} else { Issue.record("\(items)") }
        }
        let blank = try folder.write("[\(visit.replacing(level, with: "\" \""))]", to: "timeline.json")
        #expect(try !entries(blank).contains { $0.hasPrefix("visitLevel") })
    }

    @Test func trackThatEndsBeforeItsStartHasNoDuration() throws {
        let path = try folder.write(
            """
            <gpx><trk><type>run</type><trkseg><trkpt lat="1" lon="2"><time>2026-06-01T08:00:00Z</time></trkpt>\
            <trkpt lat="1" lon="2"><time>2026-06-01T07:00:00Z</time></trkpt></trkseg></trk></gpx>
            """, to: "a.gpx")
        var options = ImportOptions()
        options.createsTrackEvents = true
        let found = try entries(path, options: options)
        #expect(found.first == "event -1.0")
        #expect(found.contains { $0.hasPrefix("duration in ") })
    }

    @Test func unusablePeriodOfBeaverHabitsIsReported() throws {
        let path = try folder.write(
            #"{"habits":[{"name":"Tea","period":{"period_type":"W","period_count":1e15,"target_count":-2},"records":[{"day":"2026-01-01","done":true}]}]}"#,
            to: "b.json")
        #expect(try entries(path) == ["frequency '1000000000000000.0'", "frequency '-2'", "habit Tea", "event -1.0"])
    }

    @Test func unreadableWeekdayAndZoneOfHabiticaAreReported() throws {
        let path = try folder.write(
            #"{"tasks":{"dailys":[{"_id":"a","text":"Tea","repeat":{"m":"often","t":true},"history":[]}]},"preferences":{"timezoneOffsetAtLastCron":"x"}}"#,
            to: "u.json")
        let found = try entries(path)
        #expect(found.contains("frequency 'often'"))
        #expect(found.contains("offset 'x'"))
    }

    // MARK: Positions

    @Test func halfPositionsAreRejected() throws {
        let swarm = try folder.write(
            #"{"items":[{"type":"checkin","id":"1","createdAt":"2026-06-01 10:00:00","lat":1}]}"#,
            to: "s.json")
        #expect(try entries(swarm) == ["position-invalid"])
        let steps = try folder.write(
            #"{"all_steps":[{"id":1,"name":"A","start_time":1767258000,"location":{"lat":1}}]}"#,
            to: "p.json")
        #expect(try entries(steps) == ["position-invalid"])
    }

    // MARK: KML

    @Test func geometriesNextToPointsAreCounted() throws {
        let time = "<TimeStamp><when>2026-06-01T08:00:00Z</when></TimeStamp>"
        let line = "<LineString><coordinates>1,2 3,4</coordinates></LineString>"
        let area = "<Polygon><outerBoundaryIs/></Polygon>"
        let track = "<gx:Track><when>2026-06-01T08:00:00Z</when><gx:coord>1 2</gx:coord></gx:Track>"
        let point = "<Point><coordinates>1,2</coordinates></Point>"
        let path = try folder.write(
            """
            <kml xmlns:gx="g"><Placemark><name>A</name>\(time)<MultiGeometry>\(line)\(point)\(line)\(area)</MultiGeometry></Placemark>\
            <Placemark><name>B</name>\(time)\(point)\(track)</Placemark>\
            <Placemark><MultiGeometry>\(line)\(area)</MultiGeometry></Placemark></kml>
            """, to: "a.kml")
        #expect(
            try entries(path) == [
                "post A", "track", "track", "not-a-place", "post B", "track", "track",
                "\(path): 4 lines and areas next to points are not imported",
            ])
    }
}
