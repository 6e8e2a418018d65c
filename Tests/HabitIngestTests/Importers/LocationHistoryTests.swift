import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the importers of location histories, with forms that the samples do not contain.
@Suite(.engineIndependent) struct LocationHistoryTests {
    /// The entries of a file as short texts: the caption of a post, or the reason.
    private func entries(_ text: String, options: ImportOptions = ImportOptions()) throws -> [String] {
        let folder = try TemporaryFolder()
        let plan = try ImportPlan(paths: [try folder.write(text, to: "input")], options: options)
        var entries: [String] = []
        for part in plan.parts {
            try part.importer.init().records(of: part.input) { entry in
                switch entry {
                case .post(let post): entries.append(post.caption.isEmpty ? "post" : post.caption)
                case .skipped(let entry): entries.append(entry.reason.rawValue)
                case .rejected(let entry): entries.append(entry.error.code.slug)
                case .unreadable(let value): entries.append("\(value.kind) \(value.example ?? "")")
                case .habit, .event, .notice: break
                }
            }
        }
        return entries
    }

    private func track(_ text: String, options: ImportOptions = ImportOptions()) throws -> [TrackItem] {
        let folder = try TemporaryFolder()
        let plan = try ImportPlan(paths: [try folder.write(text, to: "input")], options: options)
        var items: [TrackItem] = []
        for part in plan.parts {
            let importer = try #require(part.importer.init() as? any TrackImporter)
            try importer.track(of: part.input) { items.append($0) }
        }
        return items
    }

    private func instant(_ text: String) throws -> Instant { try #require(ImportTime(text)?.instant) }

    private func place(_ longitude: Double, _ latitude: Double) throws -> Position {
        try #require(Position(longitude: longitude, latitude: latitude))
    }

    // MARK: Google

    @Test(arguments: [
        ("48.8566°, 2.3522°", 48.8566, 2.3522), ("geo:48.8566,2.3522", 48.8566, 2.3522),
        ("GEO:-1.5,-2.25;u=35", -1.5, -2.25), ("48,8566°, 2,3522°", 48.8566, 2.3522),
        ("48.8566\u{C2}°, \u{2212}2.3522\u{C2}°", 48.8566, -2.3522), (" 1 , 2 ", 1, 2),
    ])
    func positionTextsAreRead(text: String, latitude: Double, longitude: Double) throws {
        let numbers = try #require(EntryPosition.numbers(in: text))
        #expect(numbers == (latitude, longitude))
    }

    @Test(arguments: ["", "geo:", "48.8", "a, b", "°, °", "0x10, 1", "nan, inf"])
    func otherTextsAreNotPositions(text: String) { #expect(EntryPosition.numbers(in: text) == nil) }

    @Test func semanticTypesBecomeWords() {
        #expect(GoogleSegment.caption("INFERRED_HOME") == "Home")
        #expect(GoogleSegment.caption("Inferred Work") == "Work")
        #expect(GoogleSegment.caption("SEARCHED_ADDRESS") == "Searched address")
        for text in ["", "UNKNOWN", "Unknown", "INFERRED_"] { #expect(GoogleSegment.caption(text).isEmpty) }
    }

    @Test func damagedEntriesOfTimelineAreReported() throws {
        func visit(_ time: String, _ place: String) -> String {
            #"{"startTime": \#(time), "visit": {"topCandidate": {"semanticType": "HOME", "placeLocation": \#(place)}}}"#
        }
        let time = #""2025-05-10T09:00:00.000+01:00""#
        let segments = [
            visit(time, #"{"latLng": "38.7°, -9.1°"}"#),
            visit(time, "null"),
            visit(time, #""0°, 0°""#),
            visit(time, #""95°, 1°""#),
            visit("null", #""1°, 1°""#),
            visit(#""soon""#, #""1°, 1°""#),
            "{}",
            "3",
        ]
        let expected = [
            "Home", "no-place", "no-place", "position-invalid", "no-time", "instant-invalid", "not-a-place",
            "not-a-place",
        ]
        let text = segments.joined(separator: ",")
        #expect(try entries(#"{"rawSignals": [], "semanticSegments": [\#(text)]}"#) == expected)
        #expect(try entries("[\(text)]") == expected)
    }

    @Test func segmentsAfterLargeMembersAreRecognized() throws {
        let signals = repeatElement(#"{"wifiScan": {"deliveryTime": "2025-05-10T08:05:00.000Z"}}"#, count: 3000)
        let text = #"{"rawSignals": [\#(signals.joined(separator: ","))], "semanticSegments": [{"activity": {}}]}"#
        #expect(try entries(text) == ["activity"])
    }

    @Test func offsetOfSeparateMemberAppliesToUTC() throws {
        let time = try #require(ImportTime("2025-05-10T22:30:00Z"))
        #expect(EntryTime.known(time).at(offsetMinutes: 120).offset == UTCOffset(minutes: 120))
        #expect(EntryTime.known(time).at(offsetMinutes: 5000).offset == nil)
        let other = try #require(ImportTime("2025-05-10T22:30:00+01:00"))
        #expect(EntryTime.known(other).at(offsetMinutes: 120).offset == UTCOffset(minutes: 60))
        let local = try #require(ImportTime("2025-05-10T22:30:00"))
        #expect(EntryTime.known(local).at(offsetMinutes: 120).instant == (try instant("2025-05-10T20:30:00Z")))
    }

    @Test func recordsAcceptTextsAndOverflow() throws {
        let text = """
            {"locations": [
              {"timestampMs": "1433000000000", "latitudeE7": "3956399296", "longitudeE7": "1512153000"},
              {"timestamp": "1433000000", "latitudeE7": 3956399296, "longitudeE7": 1512153000},
              {"timestamp": "1433000000000", "latitudeE7": -338568000, "longitudeE7": 1512153000},
              {"timestamp": "2015-05-30", "latitudeE7": 1, "longitudeE7": 1},
              {"timestamp": {}, "latitudeE7": 1, "longitudeE7": 1},
              {"timestamp": "2015-05-30T00:00:00Z", "latitudeE7": -900000001, "longitudeE7": 1},
              {"timestamp": "2015-05-30T00:00:00Z", "latitudeE7": true, "longitudeE7": 1}
            ]}
            """
        #expect(
            try entries(text) == [
                "track-point", "duplicate", "duplicate", "no-time", "instant-invalid", "position-invalid",
                "position-invalid",
            ])
        let point = TrackItem.point(try instant("2015-05-30T15:33:20Z"), try place(151.2153, -33.8568))
        let unreadable: [TrackItem] = [.unreadable(""), .unreadable(""), .unreadable("")]
        #expect(try track(text) == [point, point, point] + unreadable)
    }

    @Test(
        arguments: [
            (#""60""#, []), ("60", []), ("null", []), (#""""#, []), (#""soon""#, ["offset 'soon'"]),
            ("5000", ["offset '5000'"]), ("1.5", ["offset '1.5'"]),
        ] as [(String, [String])])
    func unusableOffsetIsReported(offset: String, expected: [String]) throws {
        let visit = #""visit": {"topCandidate": {"placeLocation": "geo:1,1", "semanticType": "HOME"}}"#
        let segment =
            #"{"startTime": "2025-05-10T09:00:00Z", "startTimeTimezoneUtcOffsetMinutes": \#(offset), \#(visit)}"#
        #expect(try entries("[\(segment)]") == ["Home"] + expected)
    }

    @Test(arguments: [#""north""#, #"{"latLng": "1°"}"#, #"{"latitudeE7": "x", "longitudeE7": 1}"#])
    func unreadablePositionOfVisitIsRejected(place: String) throws {
        let segment =
            #"{"startTime": "2025-05-10T09:00:00Z", "visit": {"topCandidate": {"placeLocation": \#(place)}}}"#
        #expect(try entries("[\(segment)]") == ["position-invalid"])
    }

    @Test func pathsBecomeTracks() throws {
        let text = """
            [{"startTime": "2025-07-29T20:00:00.000+01:00", "endTime": "2025-07-29T22:00:00.000+01:00", "timelinePath": [
               {"point": "geo:38.5,-9.5", "durationMinutesOffsetFromStartTime": "90"}, {"point": "geo:0,0", "durationMinutesOffsetFromStartTime": "91"},
               {"point": "geo:38.5,-9.5"}, {"point": "38.5°, -9.5°", "time": "2025-07-29T20:30:00Z"}]},
             {"startTime": "2025-07-29T20:00:00Z", "endTime": "2025-07-29T22:00:00Z", "visit": {"hierarchyLevel": "1", "topCandidate": {"placeLocation": "geo:1,1"}}}]
            """
        let time = try instant("2025-07-29T20:30:00Z")
        let position = try place(-9.5, 38.5)
        let hour = UTCOffset(minutes: 60)
        #expect(try track(text) == [.point(time, position, offset: hour), .point(time, position, offset: hour)])
    }

    @Test func simplifiedPathBecomesTrack() throws {
        let text = """
            {"timelineObjects": [
              {"activitySegment": {"simplifiedRawPath": {"points": [{"latE7": 385000000, "lngE7": -95000000, "timestampMs": "1700000000000"}, {"latE7": 1, "lngE7": 1}]}}},
              {"placeVisit": {"location": {"latitudeE7": 385000000, "longitudeE7": -95000000}, "duration": {"startTimestampMs": "1700000000000", "endTimestamp": "2023-11-14T23:00:00Z"}}}]}
            """
        let (start, end) = (try instant("2023-11-14T22:13:20Z"), try instant("2023-11-14T23:00:00Z"))
        let position = try place(-9.5, 38.5)
        #expect(try track(text) == [.point(start, position), .visit(from: start, to: end, position)])
    }

    @Test func localTimesOfTracksAreInTimeZone() throws {
        var options = ImportOptions()
        options.timeZone = TimeZoneRules("Europe/Lisbon")
        let offset = UTCOffset(minutes: 60)
        let (start, end) = (try instant("2025-07-29T19:00:00Z"), try instant("2025-07-29T21:00:00Z"))
        let position = try place(-9.5, 38.5)
        let visit = #""visit": {"topCandidate": {"placeLocation": "geo:38.5,-9.5"}}"#
        let segments =
            #"{"semanticSegments": [{"startTime": "2025-07-29T20:00:00", "endTime": "2025-07-29T22:00:00", \#(visit)}]}"#
        #expect(try track(segments, options: options) == [.visit(from: start, to: end, position, offset: offset)])
        let records = """
            {"locations": [{"timestamp": "2025-07-29T20:00:00", "latitudeE7": 385000000, "longitudeE7": -95000000}]}
            """
        #expect(try track(records, options: options) == [.point(start, position, offset: offset)])
        let kml = """
            <kml><Placemark><gx:Track><when>2025-07-29T20:00:00</when><gx:coord>-9.5 38.5 0</gx:coord></gx:Track></Placemark></kml>
            """
        #expect(try track(kml, options: options) == [.point(start, position, offset: offset)])
    }

    // MARK: OwnTracks

    @Test func regionsOfPreviousLocationDecide() throws {
        func line(_ second: Int, _ members: String) -> String {
            "2026-06-01T08:00:0\(second)Z\t*                 \t{\"_type\":\"location\",\"tst\":178030080\(second),\"lat\":1,\"lon\":2\(members)}\n"
        }
        let text =
            line(0, #","inregions":["a","a"]"#) + "\n" + line(1, #","inregions":["b","a","c"]"#) + line(2, "")
            + line(3, #","inregions":["a"]"#) + "damaged\n" + "2026-06-01T08:00:09Z\t*\t{}\n"
            + "2026-06-01T08:00:09Z\t*\t{\"_type\":\"location\",\"lat\":\"1\",\"lon\":\"2\"}\n"
            + "2026-06-01T08:00:09Z\t*\t{\"_type\":\"location\",\"lat\":\"100\",\"lon\":\"2\"}\n"
        #expect(
            try entries(text) == [
                "a", "b, c", "track-point", "a", "line-invalid", "not-a-location", "track-point", "position-invalid",
            ])
    }

    @Test func logsOfOtherProgramsAreNotOwnTracks() {
        #expect(throws: HabitError.self) { try entries("2026-06-01T08:00:00Z INFO {\"message\": \"started\"}\n") }
    }

    @Test(arguments: ["{\"count\": 3, \"locations\": [%]}", "{\"count\": 3, \"data\": [%]}", "[%]"])
    func documentsOfRecorderAreRead(document: String) throws {
        let locations = """
            {"_type": "location", "tst": 1767258000, "lat": 48.2, "lon": 16.37, "inregions": []},
            {"_type": "location", "tst": 1767258600, "lat": 48.2, "lon": 16.37, "inregions": ["Home"]},
            {"_type": "location", "isotst": "2026-01-01T09:20:00Z", "lat": 48.2, "lon": 16.37, "inregions": ["Home"]},
            {"_type": "location", "lat": 48.2, "lon": 16.37}, {"_type": "transition"},
            {"_type": "location", "tst": 1767258600, "lat": "x"}
            """
        let text = document.replacing("%", with: locations)
        #expect(
            try entries(text) == [
                "track-point", "Home", "track-point", "no-time", "not-a-location", "position-invalid",
            ])
        #expect(try track(text).count == 4)
        #expect(try track(text).last == .unreadable(""))
    }

    // MARK: Tracks

    /// Writes a track with a point at 0, 0 between two other points, in each format.
    private func unfixedTracks(in folder: TemporaryFolder) throws -> [String] {
        let times = ["2026-05-01T12:00:00Z", "2026-05-01T12:04:00Z", "2026-05-01T12:08:00Z"]
        let degrees = [10.0, 0, 10.01]
        let points = zip(times, degrees)
        let gpx = points.map { "<trkpt lat=\"\($1)\" lon=\"\($1)\"><time>\($0)</time></trkpt>" }.joined()
        let kml = points.map { "<when>\($0)</when><coord>\($1) \($1)</coord>" }.joined()
        let owntracks = points.map { "\($0)\t*\t{\"_type\":\"location\",\"lat\":\($1),\"lon\":\($1)}\n" }.joined()
        let records = points.map { time, value -> String in
            let number = Int(value * 1e7)
            return #"{"timestamp": "\#(time)", "latitudeE7": \#(number), "longitudeE7": \#(number)}"#
        }.joined(separator: ",")
        let path = points.map { #"{"time": "\#($0)", "point": "geo:\#($1),\#($1)"}"# }.joined(separator: ",")
        return [
            try folder.write("<gpx><trk><trkseg>\(gpx)</trkseg></trk></gpx>", to: "a.gpx"),
            try folder.write("<kml><Placemark><Track>\(kml)</Track></Placemark></kml>", to: "a.kml"),
            try folder.write(owntracks, to: "a.rec"), try folder.write("{\"locations\": [\(records)]}", to: "a.json"),
            try folder.write("[{\"startTime\": \"\(times[0])\", \"timelinePath\": [\(path)]}]", to: "b.json"),
        ]
    }

    @Test func pointAtNullIslandIsNotTrackPoint() throws {
        let folder = try TemporaryFolder()
        for path in try unfixedTracks(in: folder) {
            var options = ImportOptions()
            options.tracks = [path]
            let (between, at) = (try instant("2026-05-01T12:02:00Z"), try instant("2026-05-01T12:04:00Z"))
            for policy in [NullIslandPolicy.null, .reject] {
                options.nullIsland = policy
                let positions = try TrackPositions(of: [between, at], from: options)
                #expect(positions[between] == (try place(10.0025, 10.0025)), "\(path)")
                #expect(positions[at] == (try place(10.005, 10.005)), "\(path)")
            }
            options.nullIsland = .keep
            #expect(try TrackPositions(of: [between, at], from: options)[at] == place(0, 0), "\(path)")
        }
    }

    @Test func unreadablePointsOfTrackAreCounted() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            <gpx><trk><trkseg><trkpt lat="38,7" lon="-9,1"/><trkpt lat="1" lon="2"><time>noon</time></trkpt>\
            <trkpt lat="1" lon="2"/></trkseg></trk></gpx>
            """, to: "a.gpx")
        var options = ImportOptions()
        options.tracks = [path]
        let notices = try TrackPositions(of: [], from: options).notices
        #expect(
            notices.map(\.message) == [
                "\(path): 2 points of tracks cannot be read and are ignored, for example '38,7, -9,1'"
            ])
    }

    // MARK: Polarsteps

    @Test func unknownTimeZoneOfStepIsReported() throws {
        let text = """
            {"all_steps": [{"id": 1, "name": "A", "start_time": 1717236000, "timezone_id": "Mars/Olympus"},
              {"id": 2, "name": "B", "start_time": 1717236000, "timezone_id": "Europe/Oslo"},
              {"id": 3, "name": "C", "start_time": 1717236000, "location": {"lat": "x", "lon": 1}}]}
            """
        #expect(try entries(text) == ["A", "timeZone 'Mars/Olympus'", "B", "position-invalid"])
    }

    @Test func deletedStepsAreSkipped() throws {
        let text = """
            {"name": "Trip", "all_steps": [
              {"id": 1, "is_deleted": true, "start_time": 1717236000.0}, {"id": 2, "name": " ", "display_name": "Oslo", "description": "Rain", "start_time": "1717236000.123"},
              {"id": 3, "name": "A", "start_time": null}, {"id": 4, "name": "B", "start_time": 1717236000, "location": {"lat": 91, "lon": 1}}]}
            """
        #expect(try entries(text) == ["deleted", "Oslo – Rain", "no-time", "position-invalid"])
    }

    @Test func binaryFractionsAreRounded() throws {
        #expect(ImportTime(unix: 1_717_236_000.123)?.instant?.microseconds == 1_717_236_000_123_000)
        #expect(ImportTime(unix: 1_717_236_000_123)?.instant?.microseconds == 1_717_236_000_123_000)
    }

    // MARK: Dawarich

    /// Writes an unpacked export.
    private func export(visits: String, points: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let files = [
            "manifest.json": #"{"format_version": 2}"#, "visits.jsonl": visits, "points.jsonl": points,
        ]
        for (name, text) in files { _ = try folder.write(text, to: name) }
        return folder
    }

    @Test func linesOfDawarichAreRead() throws {
        let folder = try export(
            visits: """
                {"name": "", "status": "confirmed", "started_at": "2024-06-15T07:00:00Z", "ended_at": "2024-06-15T08:00:00Z", "place_reference": {"name": "Café", "lonlat": "POINT (16.5 48.5)"}}

                {"name": "A", "status": "new"}
                """, points: #"{"timestamp": 1718434800, "latitude": null, "lonlat": "POINT(16.5 48.5)"}"#)
        let plan = try ImportPlan(paths: [folder.path], options: ImportOptions())
        let part = try #require(plan.parts.first)
        var entries: [ImportEntry] = []
        var items: [TrackItem] = []
        try DawarichImporter().records(of: part.input) { entries.append($0) }
        try DawarichImporter().track(of: part.input) { items.append($0) }
        let position = try place(16.5, 48.5)
        let start = try instant("2024-06-15T07:00:00Z")
        let end = try instant("2024-06-15T08:00:00Z")
        #expect(items == [.visit(from: start, to: end, position), .point(start, position)])
        try #require(entries.count == 3)
        guard case .post(let post) = entries[0], case .skipped(let skipped) = entries[1] else {
            Issue.record("\(entries)")
            return
        }
        #expect(post.caption == "Café")
        #expect(post.position == position)
        #expect(skipped.reason == .unknown)
    }

    @Test func damagedLineOfDawarichFailsWithItsLine() throws {
        let folder = try export(visits: "{}\n{\"name\":", points: "")
        let plan = try ImportPlan(paths: [folder.path], options: ImportOptions())
        let part = try #require(plan.parts.first)
        let error = try #require(
            throws: HabitError.self, performing: { try DawarichImporter().records(of: part.input) { _ in } })
        #expect(error.code == .jsonInvalid)
        #expect(error.line == 2)
    }
}
