import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of GPX, KML, TCX, Apple Health and Strava files in forms that the samples do not have.
@Suite struct WorkoutFormatsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The entries of an input as short texts: the reason, the code, the caption or the title.
    private func entries(
        _ importer: any Importer.Type, _ path: String, createsEvents: Bool = false
    ) throws -> [String] {
        var options = ImportOptions()
        options.createsTrackEvents = createsEvents
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
                "Hiking 10.3 1.0", "track", "no-time", "route",
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
                .point(instant("2026-06-01T08:00:00Z"), position(1, 2)),
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

    // MARK: Apple Health

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
