import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of GPX, KML, TCX, Apple Health and Strava files in forms that the samples do not have.
@Suite(.engineIndependent) struct WorkoutFormatsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The entries of an input as short texts: the reason, the code, the caption or the title.
    private func entries(
        _ importer: any Importer.Type, _ path: String, createsEvents: Bool = false,
        nullIsland: NullIslandPolicy = .null
    ) throws -> [String] {
        var options = ImportOptions()
        options.createsTrackEvents = createsEvents
        options.nullIsland = nullIsland
        let input = try ImportInput(path: path, options: options)
        #expect(try importer.canRead(input))
        var entries: [String] = []
        try importer.init().records(of: input) { entry in
            switch entry {
            case .event(let event):
                guard case .implied(let habit) = event.habit else { return }
                let minutes = event.amount.value.map { "\($0)" } ?? "-"
                let latitude = event.position.map { "\($0.latitude)" } ?? "-"
                entries.append("\(habit.title) \(minutes) \(latitude)")
            case .post(let post): entries.append(post.time?.instant == nil ? "no-time" : post.caption)
            case .skipped(let entry): entries.append(entry.reason.rawValue)
            case .rejected(let entry): entries.append(entry.error.code.slug)
            case .unreadable(let value): entries.append("\(value.kind) \(value.example ?? "")")
            case .habit, .notice: break
            }
        }
        return entries
    }

    private func microseconds(_ time: ImportTime?) -> Int64? { time?.instant?.microseconds }

    // MARK: GPX

    @Test func waypointsWithPrefixesAreRead() throws {
        let path = try folder.write(
            """
            \u{FEFF}

            <?xml version="1.0"?><g:gpx xmlns:g="a"><g:wpt lat=" 1 " lon="2"><g:time>2026-06-01T08:00:00Z</g:time>\
            <g:name/><g:desc><![CDATA[A & B]]></g:desc></g:wpt><g:extensions><wpt lat="1" lon="1"/></g:extensions></g:gpx>
            """, to: "a.gpx")
        #expect(try entries(GPXImporter.self, path) == ["A & B"])
    }

    @Test func waypointsWithInvalidValuesAreRejected() throws {
        let path = try folder.write(
            """
            <gpx><wpt lat="91" lon="2"/><wpt lon="2"/><wpt lat="1" lon="2"><time>soon</time></wpt><wpt lat="1" lon="2"/>\
            <wpt lat="0x10" lon="2"/><wpt lat="nan" lon="2"/></gpx>
            """, to: "a.gpx")
        #expect(
            try entries(GPXImporter.self, path) == [
                "position-invalid", "position-invalid", "instant-invalid", "no-time", "position-invalid",
                "position-invalid",
            ])
    }

    @Test func windowsEncodingsAreRead() throws {
        for (encoding, byte, text) in [
            ("windows-1252", 0x80, "€"), ("ISO-8859-15", 0xA4, "€"), ("windows-1251", 0xC6, "Ж"),
        ]
            as [(String, UInt8, String)]
        {
            let start =
                "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><gpx><wpt lat=\"1\" lon=\"2\"><time>2026-06-01T08:00:00Z</time><name>"
            let path = try folder.write(
                Data(Array(start.utf8) + [byte] + Array("</name></wpt></gpx>".utf8)), to: "a.gpx")
            #expect(try entries(GPXImporter.self, path) == [text])
        }
    }

    @Test func tracksBecomeEventsOnlyWithTypeAndTime() throws {
        let path = try folder.write(
            """
            <gpx><trk><type>hiking</type><trkseg/><trkseg><trkpt lat="x" lon="2"><time>2026-06-01T07:00:00Z</time></trkpt>\
            <trkpt lat="1" lon="2"><time>2026-06-01T08:00:00</time></trkpt><trkpt lat="3" lon="4"/></trkseg>\
            <trkseg><trkpt lat="5" lon="6"><time>2026-06-01T08:10:15Z</time></trkpt></trkseg></trk>\
            <trk><link><type>a</type></link></trk><trk><type>b</type></trk><rte><rtept lat="1" lon="2"/></rte></gpx>
            """, to: "a.gpx")
        #expect(
            try entries(GPXImporter.self, path, createsEvents: true) == [
                "trackPoint 'x, 2'", "Hiking 10.3 1.0", "track", "no-time", "route",
            ])
        #expect(try entries(GPXImporter.self, path) == ["track", "track", "track", "route"])
    }

    // MARK: KML

    @Test func placemarksAreClassifiedByGeometryAndTime() throws {
        let path = try folder.write(
            """
            <k:kml xmlns:k="a" xmlns:g="b"><k:Placemark><k:LookAt><g:TimeStamp><k:when>2020-01-01T00:00:00Z</k:when>\
            </g:TimeStamp></k:LookAt><k:Point><k:coordinates>1,2</k:coordinates></k:Point></k:Placemark>\
            <k:Placemark><k:description>D</k:description><k:TimeSpan><k:begin>2026-06-01T08:00:00Z</k:begin></k:TimeSpan>\
            <k:MultiGeometry><k:Point><k:coordinates> 1, 2, 0 </k:coordinates></k:Point></k:MultiGeometry></k:Placemark>\
            <k:Placemark><k:TimeStamp><k:when>2026-05</k:when></k:TimeStamp><k:Point><k:coordinates>1,2</k:coordinates>\
            </k:Point></k:Placemark><k:Placemark><k:Point><k:coordinates>1,91</k:coordinates></k:Point></k:Placemark>\
            <k:Placemark><g:MultiTrack><g:Track/></g:MultiTrack></k:Placemark><k:Placemark/></k:kml>
            """, to: "a.kml")
        #expect(
            try entries(KMLImporter.self, path) == [
                "no-time", "D", "no-time", "position-invalid", "track", "not-a-place",
            ])
    }

    /// A tuple is `longitude,latitude[,altitude]` (OGC KML 2.3).
    @Test(
        arguments: [
            ("21,52", "A"), ("21.05,52.08,0", "A"), (" 21 ,\n 52 , 7 ", "A"), ("21,52,", "A"), ("21,52,nan", "A"),
            ("21,05,52,08", "position-invalid"), ("1,2,3,4,5", "position-invalid"),
            ("1,2,3,4,5,6", "position-invalid"), ("1,2,3,4,5,6,7", "position-invalid"), ("21", "position-invalid"),
            ("1,2 3,4", "position-invalid"), ("1,2,3 4,5,6", "position-invalid"), ("21,05 52", "position-invalid"),
            ("1,2,high", "position-invalid"), ("1,,2", "position-invalid"), ("1 2", "position-invalid"),
        ])
    func tupleHasTwoOrThreeNumbers(tuple: String, expected: String) throws {
        let path = try folder.write(
            """
            <kml><Placemark><name>A</name><TimeStamp><when>2026-05-01T10:00:00Z</when></TimeStamp><Point><coordinates>\(tuple)\
            </coordinates></Point></Placemark></kml>
            """, to: "a.kml")
        #expect(try entries(KMLImporter.self, path) == [expected])
    }

    @Test(
        arguments: [
            ("21 52", true), ("21 52 7", true), ("21,52,7", true), ("21, 52", true), ("21,05 52,08 0", false),
            ("1 2 3 4", false), ("21,05 52", false), ("21", false),
        ])
    func trackTupleHasTwoOrThreeNumbers(tuple: String, isValid: Bool) throws {
        let path = try folder.write(
            """
            <kml><Placemark><Track><when>2026-05-01T10:00:00Z</when><coord>\(tuple)</coord><when/><coord/></Track>\
            </Placemark></kml>
            """, to: "a.kml")
        var items: [TrackItem] = []
        try KMLImporter().track(of: ImportInput(path: path, options: ImportOptions())) { items.append($0) }
        let instant = try #require(ImportTime("2026-05-01T10:00:00Z")?.instant)
        let position = try #require(Position(longitude: 21, latitude: 52))
        #expect(items == [isValid ? .point(instant, position) : .unreadable(tuple)])
    }

    @Test func eachPointOfPlacemarkIsEntry() throws {
        let path = try folder.write(
            """
            <kml><Placemark><name>A</name><TimeStamp><when>2026-05-01T10:00:00Z</when></TimeStamp><MultiGeometry>\
            <Point><coordinates>1,2</coordinates></Point><MultiGeometry><Point><coordinates>3,4,5,6</coordinates></Point>\
            </MultiGeometry><LineString/><Point><coordinates>5,6</coordinates></Point></MultiGeometry></Placemark>\
            <Placemark><MultiGeometry><Point><coordinates>1,2</coordinates></Point><Point><coordinates>1,3</coordinates>\
            </Point></MultiGeometry></Placemark></kml>
            """, to: "a.kml")
        #expect(try entries(KMLImporter.self, path) == ["A", "position-invalid", "A", "track", "no-time", "no-time"])
    }

    @Test func trackOfKMLHasPointsAndVisits() throws {
        let path = try folder.write(
            """
            <kml><Placemark><Track><when>2026-06-01T08:00:00Z</when><when>bad</when><when>2026-06-01T08:02:00+01:00</when>\
            <coord>1 2 3</coord><coord>1 2</coord><coord>5 6</coord></Track></Placemark><Placemark><TimeSpan>\
            <begin>2026-06-01T09:00:00Z</begin><end>2026-06-01T10:00:00Z</end></TimeSpan><Point><coordinates>7,8</coordinates>\
            </Point></Placemark></kml>
            """, to: "a.kml")
        var items: [TrackItem] = []
        try KMLImporter().track(of: ImportInput(path: path, options: ImportOptions())) { items.append($0) }
        func instant(_ text: String) throws -> Instant { try #require(ImportTime(text)?.instant) }
        func position(_ longitude: Double, _ latitude: Double) throws -> Position {
            try #require(Position(longitude: longitude, latitude: latitude))
        }
        #expect(
            try items == [
                .point(instant("2026-06-01T08:00:00Z"), position(1, 2)), .unreadable("bad"),
                .point(instant("2026-06-01T07:02:00Z"), position(5, 6), offset: UTCOffset(minutes: 60)),
                .visit(from: instant("2026-06-01T09:00:00Z"), to: instant("2026-06-01T10:00:00Z"), position(7, 8)),
            ])
    }

    // MARK: TCX

    @Test func activitiesOfMultisportSessionsAreRead() throws {
        let path = try folder.write(
            """
            <t:TrainingCenterDatabase xmlns:t="a"><t:Activities><t:MultiSportSession><t:Id>x</t:Id><t:FirstSport>\
            <t:Activity Sport="Biking"><t:Id>2026-06-01T08:00:00Z</t:Id><t:Lap><t:TotalTimeSeconds>600</t:TotalTimeSeconds>\
            <t:Track><t:Trackpoint><t:Position><t:LatitudeDegrees>1</t:LatitudeDegrees>\
            <t:LongitudeDegrees>2</t:LongitudeDegrees></t:Position></t:Trackpoint></t:Track></t:Lap>\
            <t:Lap><t:TotalTimeSeconds>60</t:TotalTimeSeconds></t:Lap></t:Activity></t:FirstSport><t:NextSport>\
            <t:Activity Sport="Running"><t:Id>evening</t:Id><t:Lap StartTime="2026-06-01T09:00:00Z"/></t:Activity>\
            </t:NextSport></t:MultiSportSession><t:Activity Sport="Other"/></t:Activities></t:TrainingCenterDatabase>
            """, to: "a.tcx")
        #expect(try entries(TCXImporter.self, path) == ["Biking 11.0 1.0", "Running - -", "no-time"])
    }

    @Test(arguments: ["1800,5", "-5", "fast"]) func unreadableDurationIsReported(text: String) throws {
        let path = try folder.write(
            """
            <TrainingCenterDatabase><Activity Sport="Running"><Id>2026-06-01T08:00:00Z</Id><Lap>\
            <TotalTimeSeconds>\(text)</TotalTimeSeconds></Lap><Lap><TotalTimeSeconds/></Lap></Activity>\
            </TrainingCenterDatabase>
            """, to: "a.tcx")
        #expect(try entries(TCXImporter.self, path) == ["Running - -", "duration '\(text)'"])
    }

    // MARK: Points at 0, 0

    /// The file of a workout, or the folder of its export.
    private struct WorkoutInput {
        var importer: any Importer.Type
        var path: String
    }

    /// The inputs of a workout with points whose latitudes and longitudes are equal.
    private func workouts(_ points: [Int]) throws -> [WorkoutInput] {
        func gpx(_ time: String) -> String {
            let track = points.map { "<trkpt lat=\"\($0)\" lon=\"\($0)\">\(time)</trkpt>" }.joined()
            return "<gpx><trk><type>run</type><trkseg>\(track)</trkseg></trk></gpx>"
        }
        let positions = points.map { point in
            """
            <Trackpoint><Position><LatitudeDegrees>\(point)</LatitudeDegrees><LongitudeDegrees>\(point)</LongitudeDegrees>\
            </Position></Trackpoint>
            """
        }
        let locations = points.map { "<Location latitude=\"\($0)\" longitude=\"\($0)\"/>" }
        let start =
            "<HealthData><Workout workoutActivityType=\"Run\" startDate=\"2026-06-01 08:00:00 +0100\"><WorkoutRoute>"
        let end = "</WorkoutRoute></Workout></HealthData>"
        try folder.write(gpx(""), to: "strava/1.gpx")
        try folder.write(
            "Activity ID,Activity Date,Activity Name,Activity Type,Filename\n1,2026-06-01 08:00:00,,Run,activities/1.gpx\n",
            to: "strava/activities.csv")
        try folder.write(gpx(""), to: "apple/route.gpx")
        try folder.write("\(start)<FileReference path=\"/route.gpx\"/>\(end)", to: "apple/export.xml")
        let tcx = """
            <TrainingCenterDatabase><Activity Sport="Run"><Id>2026-06-01T08:00:00Z</Id><Lap><Track>\(positions.joined())\
            </Track></Lap></Activity></TrainingCenterDatabase>
            """
        let time = "<time>2026-06-01T08:00:00Z</time>"
        return [
            WorkoutInput(importer: GPXImporter.self, path: try folder.write(gpx(time), to: "a.gpx")),
            WorkoutInput(importer: TCXImporter.self, path: try folder.write(tcx, to: "a.tcx")),
            WorkoutInput(
                importer: AppleHealthImporter.self,
                path: try folder.write(start + locations.joined() + end, to: "a.xml")),
            WorkoutInput(importer: AppleHealthImporter.self, path: folder.file("apple")),
            WorkoutInput(importer: StravaImporter.self, path: folder.file("strava")),
        ]
    }

    @Test func workoutBeginsAtFirstFix() throws {
        for input in try workouts([0, 0, 7, 8]) {
            let read = try entries(input.importer, input.path, createsEvents: true)
            try #require(read.count == 1, "\(input.importer): \(read)")
            #expect(read[0].hasSuffix(" 7.0"), "\(input.importer): \(read)")
            let kept = try entries(input.importer, input.path, createsEvents: true, nullIsland: .keep)
            try #require(kept.count == 1, "\(input.importer): \(kept)")
            #expect(kept[0].hasSuffix(" 0.0"), "\(input.importer): \(kept)")
        }
    }

    /// The run applies the rule for 0, 0 to the position.
    @Test func workoutWithoutFixBeginsAtNullIsland() throws {
        for input in try workouts([0, 0]) {
            let read = try entries(input.importer, input.path, createsEvents: true)
            try #require(read.count == 1, "\(input.importer): \(read)")
            #expect(read[0].hasSuffix(" 0.0"), "\(input.importer): \(read)")
        }
    }

    // MARK: Apple Health

    @Test(
        arguments: [
            ("Asia/Tokyo", "2026-06-02T00:30:00+09:00"), ("GMT+0930", "2026-06-02T01:00:00+09:30"),
            (" GMT-05:00 ", "2026-06-01T10:30:00-05:00"), ("Mars/Olympus", nil), ("CET-1CEST,M3.5.0,M10.5.0/3", nil),
            ("", nil),
        ] as [(String, String?)])
    func timeZoneOfWorkoutIsUsedOrReported(zone: String, expected: String?) throws {
        let path = try folder.write(
            """
            <HealthData><Workout workoutActivityType="Run" duration="1" startDate="2026-06-01 16:30:00 +0100">\
            <MetadataEntry key="HKTimeZone" value="\(zone)"/></Workout></HealthData>
            """, to: "export.xml")
        var times: [OffsetInstant?] = []
        var values: [UnreadableValue.Kind] = []
        try AppleHealthImporter().records(of: ImportInput(path: path, options: ImportOptions())) { entry in
            if case .event(let event) = entry { times.append(try event.time.resolved(in: .utc).at) }
            if case .unreadable(let value) = entry { values.append(value.kind) }
        }
        let at = OffsetInstant(expected ?? "2026-06-01T16:30:00+01:00")
        #expect(at != nil)
        #expect(times == [at])
        #expect(values == (expected != nil || zone.isEmpty ? [] : [.timeZone]))
    }

    @Test(arguments: [("abc", "min"), ("-1", "min"), ("5", "parsec")])
    func unreadableDurationOfAppleHealthIsReported(duration: String, unit: String) throws {
        let path = try folder.write(
            """
            <HealthData><Workout workoutActivityType="Run" duration="\(duration)" durationUnit="\(unit)" \
            startDate="2026-06-01 16:30:00 +0100" endDate="2026-06-01 16:40:00 +0100"/></HealthData>
            """, to: "export.xml")
        #expect(try entries(AppleHealthImporter.self, path) == ["Run 10.0 -", "duration '\(duration) \(unit)'"])
    }

    @Test func mistakesOfAppleAreAccepted() throws {
        let path = try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE HealthData [
            <!ATTLIST VisionPrescription
              type CDATA #REQUIRED
            <!ELEMENT RightEye EMPTY>
            ]>
            <HealthData><Record device="a\u{0B}b"/>
            <Workout workoutActivityType="HKWorkoutActivityTypeMindAndBody" duration="0.5" durationUnit="hr" startDate="2026-06-01 8:30:00 pm +0100"/>
            <Workout workoutActivityType="HKWorkoutActivityTypeYoga" startDate="2026-06-01 08:30:00 +0100" endDate="2026-06-01 08:40:30 +0100"/>
            <Workout workoutActivityType="" startDate="2026-06-01 08:30:00 +0100"/><Workout workoutActivityType="A"/></HealthData>
            """, to: "Exportación.xml")
        #expect(
            try entries(AppleHealthImporter.self, path) == [
                "Mind And Body 30.0 -", "Yoga 10.5 -", "no-habit", "no-time",
            ])
        #expect(try entries(AppleHealthImporter.self, folder.path).count == 4)
    }

    @Test func entitiesOfAppleHealthAreRejected() throws {
        let path = try folder.write(
            "<!DOCTYPE HealthData [<!ENTITY a \"b\">]><HealthData><Workout workoutActivityType=\"&a;\"/></HealthData>",
            to: "export.xml")
        #expect(throws: HabitError.self) { try entries(AppleHealthImporter.self, path) }
    }

    // MARK: Strava

    @Test func exportsBeforeJuly2019AreRead() throws {
        let path = try folder.write(
            """
            id,date,name,type,description,elapsed_time,distance,commute,gear,filename
            901,2018-09-12 15:02:23,Evening Ride,Ride,,783,3681.0,true,Bike,activities/901.gpx
            902,2018-09-13 15:02:23,Ride,Ride,,slow,3681.0,true,Bike,
            """, to: "activities.csv")
        #expect(try entries(StravaImporter.self, path) == ["Ride 13.1 -", "Ride - -", "duration 'slow'"])
        let plan = try ImportPlan(paths: [path], options: ImportOptions())
        #expect(plan.inputs.map(\.format) == ["strava"])
        var options = ImportOptions()
        options.format = "csv"
        #expect(try ImportPlan(paths: [path], options: options).inputs.map(\.format) == ["csv"])
    }

    @Test(
        arguments: [
            "16 Agu 2026 16.07.40", "Aug 16, 2026, 4:07:40 PM", "16.08.2026, 16:07:40", "16 ago 2026, 4:07:40 p. m.",
            "16 août 2026 à 16:07:40", "16 aug 2026, 16:07:40", "16 de ago. de 2026, 16:07:40",
            "16 авг. 2026 г., 16:07:40", "16 серп. 2026 р., 16:07:40", "16 sie 2026, 16:07:40", "16. 8. 2026 16:07:40",
            "16. srpna 2026 16:07:40", "16. augusta 2026, 16:07:40", "16 augusti 2026 kl. 16:07:40",
            "16. august 2026 kl. 16.07.40", "16.8.2026 klo 16.07.40", "16. elokuuta 2026 klo 16.07.40",
            "16 Ağu 2026 16:07:40", "16 Ağu 2026 ÖS 04:07:40", "16 Αυγ 2026, 4:07:40 μ.μ.", "2026. aug. 16. 16:07:40",
            "2026. aug. 16. du. 4:07:40", "16 Ogo 2026, 4:07:40 PTG", "16 ส.ค. 2569 16:07:40",
            "16:07:40 16 thg 8, 2026", "04:07:40 CH 16 thg 8, 2026", "2026/08/16 16:07:40", "2026年8月16日 下午4:07:40",
            "2026. 8. 16. 오후 4:07:40", "2026. 8. 16. PM 4:07:40", "16.08.2026 г., 16:07:40", "AUGUST 16 2026 16:07:40",
            "16-Aug-2026 16:07:40",
        ])
    func monthsOfAllLanguagesAreRead(text: String) {
        #expect(
            microseconds(LocalizedTime.time(text, pattern: nil)) == microseconds(ImportTime("2026-08-16T16:07:40Z")))
    }

    @Test(
        arguments: [
            ["Jan", "Feb", "Mar", "Apr", "Mei", "Jun", "Jul", "Agu", "Sep", "Okt", "Nov", "Des"],
            ["tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka", "marras", "joulu"],
            ["led", "úno", "bře", "dub", "kvě", "čvn", "čvc", "srp", "zář", "říj", "lis", "pro"],
            ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"],
            ["oca", "şub", "mar", "nis", "may", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara"],
            ["січ", "лют", "бер", "квіт", "трав", "черв", "лип", "серп", "вер", "жовт", "лист", "груд"],
            ["janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"],
        ])
    func allMonthsOfLanguageHaveNames(names: [String]) {
        #expect(names.map { MonthNames.month($0.lowercased()) } == Array(1...12))
    }

    @Test func columnsOfOlderExportsAreRead() throws {
        let path = try folder.write(
            """
            Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename
            1,"Sep 12, 2018, 3:02:23 PM",Evening Ride,VirtualRide,,783,3.68,true,Merida,activities/1.gpx
            2,13/09/2018 15:02,Ride,Ride,,783,3.68,true,Merida,
            """, to: "activities.csv")
        #expect(try entries(StravaImporter.self, path) == ["Virtual Ride 13.1 -", "instant-invalid"])
        try folder.write("<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>", to: "1.gpx")
        #expect(try entries(StravaImporter.self, folder.path) == ["Virtual Ride 13.1 1.0", "instant-invalid"])
    }

    @Test(
        arguments: [
            ("Jun 1, 2026, 7:30:00 PM", "2026-06-01T19:30:00Z"),
            ("Jun 1, 2026, 12:05:00\u{202F}AM", "2026-06-01T00:05:00Z"),
            ("01.06.2026, 07:30:00", "2026-06-01T07:30:00Z"), ("1. 6. 2026 7:30:00", "2026-06-01T07:30:00Z"),
            ("2026-06-01 07:30:00", "2026-06-01T07:30:00Z"), ("24 mai 2012 à 16:27:40", "2012-05-24T16:27:40Z"),
            ("2 jun. 2026, 7:30:00 p. m.", "2026-06-02T19:30:00Z"),
            ("3 de jul. de 2026, 07:30", "2026-07-03T07:30:00Z"),
            ("2026/06/04 午後7:30:00", "2026-06-04T19:30:00Z"), ("2026年6月5日 7:30:00", "2026-06-05T07:30:00Z"),
            ("8. jun. 2026 07.30.00", "2026-06-08T07:30:00Z"), ("2026-06-01 8:30:00 pm +0100", "2026-06-01T19:30:00Z"),
        ])
    func localizedTimesAreParsed(_ text: String, _ expected: String) {
        #expect(microseconds(LocalizedTime.time(text, pattern: nil)) == microseconds(ImportTime(expected)))
        #expect(microseconds(ImportTime(expected)) != nil)
    }

    @Test(arguments: [
        "06/12/2026 07:30:00", "5 foo 2026 07:30:00", "Jun 1, 2026, 13:30:00 PM", "", ":", "7:30", "31.02.2026 7:30",
        "5 jan feb 2026 07:30:00", "5 Jan 2026 07:30:00 foo",
    ])
    func ambiguousTimesAreRejected(_ text: String) {
        #expect(LocalizedTime.time(text, pattern: nil) == nil)
    }

    @Test func patternDecidesAmbiguousTimes() throws {
        let pattern = try DatePattern("dd/MM/yyyy", field: "date-format")
        let time = LocalizedTime.time("06/12/2026 7:30:00 AM", pattern: pattern)
        #expect(microseconds(time) == microseconds(ImportTime("2026-12-06T07:30:00Z")))
    }
}
