import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

@Suite(.engineIndependent) struct GeoJSONReaderTests {
    private func collection(_ features: String..., before: String = "", behind: String = "") -> String {
        "{\"type\":\"FeatureCollection\"\(before),\"features\":[\n\(features.joined(separator: ",\n"))\n]\(behind)}\n"
    }

    private let point =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52]},"properties":{"habit":"h1"},"id":7}"#

    @Test func featuresBecomeRecords() throws {
        let text = collection(
            point,
            #"{"type":"Feature","geometry":null,"properties":{"id":"e2","habit":"h2"},"id":"e2","bbox":[1,2,3,4]}"#,
            #"{"type":"Feature","geometry":{"coordinates":[1,2,3,4],"type":"Point"},"properties":null}"#,
            #"{"type":"Feature","geometry":null,"properties":{"lon":1.5,"lat":2.5}}"#)
        let reading = try readAll(text)
        #expect(reading.format == .geojson)
        #expect(reading.problems.isEmpty)
        #expect(reading.unknownFields.isEmpty)
        #expect(
            reading.rows.map(\.values) == [
                [
                    .id: .integer(7),
                    .habit: .text("h1"),
                    .longitude: .number(13.4),
                    .latitude: .number(52),
                ],
                [.id: .text("e2"), .habit: .text("h2"), .longitude: .null, .latitude: .null],
                [.longitude: .number(1), .latitude: .number(2)],
                [.longitude: .number(1.5), .latitude: .number(2.5)],
            ])
        #expect(reading.rows.map(\.line) == [2, 3, 4, 5])
    }

    @Test(
        arguments: [
            (#"{"type":"Feature","properties":{}}"#, ErrorCode.fieldMissing, "geometry"),
            (
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1]},"properties":{}}"#, .fieldInvalid,
                "geometry"
            ),
            (
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":["1",2]},"properties":{}}"#, .fieldInvalid,
                "geometry"
            ),
            (#"{"type":"Feature","geometry":{"type":"Point"},"properties":{}}"#, .fieldInvalid, "geometry"),
            (
                #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{}}"#,
                .fieldInvalid, "geometry"
            ),
            (#"{"type":"Feature","geometry":[1,2],"properties":{}}"#, .fieldInvalid, "geometry"),
            (
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"lon":1}}"#,
                .rowInvalid, "longitude"
            ),
            (#"{"type":"Feature","geometry":null,"properties":[]}"#, .rowInvalid, nil),
            (#"{"type":"Feature","geometry":null,"id":"a","properties":{"id":"b"}}"#, .fieldInvalid, "id"),
            (#"{"type":"Feature","geometry":null,"id":["a"],"properties":{}}"#, .fieldInvalid, "id"),
            (#"{"type":"Point","coordinates":[1,2]}"#, .rowInvalid, nil),
            (#"{"habit":"h1"}"#, .rowInvalid, nil),
            (#"{"type":"Feature","geometry":null,"properties":{"habit":1,"habit":1}}"#, .rowInvalid, nil),
            (#"{"type":"Feature","type":"Feature","geometry":null,"properties":{}}"#, .rowInvalid, nil),
        ] as [(String, ErrorCode, String?)])
    func invalidFeatureIsRefusedAndReadingContinues(feature: String, code: ErrorCode, field: String?) throws {
        let reading = try readAll(collection(feature, point))
        #expect(reading.rows.map(\.line) == [3])
        #expect(reading.problems.map(\.code) == [code])
        #expect(reading.problems.map(\.field) == [field])
        #expect(reading.problems.map(\.original) == [feature])
    }

    @Test(arguments: [
        (",\"kind\":\"events\"", ""),
        (",\"name\":\"x\",\"kind\":\"events\",\"crs\":{\"a\":[1]}", ",\"bbox\":[1,2,3,4]"),
    ])
    func kindBeforeFeaturesIsAccepted(before: String, behind: String) throws {
        let reading = try readAll(collection(point, before: before, behind: behind), kind: nil)
        #expect(reading.rows.map(\.kind) == [.events])
    }

    @Test func kindAfterFeaturesIsRejected() {
        let error = failure { _ = try readAll(collection(point, behind: ",\"kind\":\"events\""), kind: nil) }
        #expect(error?.code == .headerInvalid)
        #expect(error?.plainText.contains("before the records") == true)
        #expect(error?.remedies.contains(.give(.kind)) == true)
        #expect(failure { _ = try readAll(collection(point, behind: ",\"kind\":\"events\"")) } == nil)
        #expect(failure { _ = try readAll(collection(point, behind: ",\"kind\":\"posts\"")) }?.code == .headerInvalid)
    }

    @Test func invalidKindIsRefused() {
        for kind in ["\"posts\"", "\"pets\"", "7", "null"] {
            #expect(failure { _ = try readAll(collection(point, before: ",\"kind\":\(kind)")) }?.code == .headerInvalid)
        }
    }

    @Test func featureMayContainItsKind() throws {
        let own = point.replacing("\"id\":7", with: "\"id\":7,\"kind\":\"events\",\"rejected_reason\":\"x\"")
        let inside = point.replacing("\"habit\"", with: "\"kind\":\"events\",\"habit\"")
        let reading = try readAll(collection(own, inside, point), kind: nil)
        #expect(reading.rows.map(\.kind) == [.events, .events])
        #expect(reading.unknownFields.isEmpty)
        #expect(reading.problems.map(\.code) == [.fieldMissing])
    }

    @Test func emptyCollectionHasNoRecords() throws {
        #expect(try readAll(collection(), kind: nil).rows.isEmpty)
    }

    @Test(arguments: [
        #"{"type":"FeatureCollection"}"#, #"{"type":"FeatureCollection","features":{}}"#,
        #"{"type":"FeatureCollection","features":[]"#,
        #"{"type":"FeatureCollection","features":[],}"#, #"{"type":"FeatureCollection","features":[]}}"#,
        #"{"features":[]}"#,
        #"{"features":[],"type":"Feature"}"#, #"{"type":"FeatureCollection","type":"FeatureCollection","features":[]}"#,
        #"{"type":"FeatureCollection","features":[],"features":[]}"#, #"{"type":"FeatureCollection" "features":[]}"#,
        #"{"type":"FeatureCollection","name":x,"features":[]}"#,
        #"{"type":"FeatureCollection","name":{"a":1,"a":2},"features":[]}"#,
        #"{"type":"FeatureCollection",features:[]}"#, #"{"type":"FeatureCollection","features":[]"x":1}"#,
        #"{"type":"FeatureCollection","features":[{"type":"Feature",}]}"#, #"{"type":"FeatureCollection","name":"#,
    ])
    func documentThatIsNotCollectionIsRefused(text: String) {
        for chunk in [1, 1000] {
            let error = failure { _ = try readAll(text, format: .geojson, chunk: chunk) }
            #expect(error?.code == .rowInvalid)
            #expect(error?.file == "input")
        }
    }

    @Test func singleFeatureIsOneRecord() throws {
        for text in [point, point.replacing(",", with: ",\n")] {
            for format in [nil, InputFormat.geojson] {
                #expect(try readAll(text, format: format).rows.map { $0[.habit] } == [.text("h1")])
            }
        }
    }

    @Test func arrayOfFeaturesIsAccepted() throws {
        #expect(try readAll("[\(point)]").rows.map { $0[.longitude] } == [.number(13.4)])
    }

    @Test func geometryIsUnknownFieldWhenKindHasNoPosition() throws {
        let text = collection(
            #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"follower":"a"},"title":1}"#
        )
        #expect(try readAll(text, kind: .follows).unknownFields == ["title", "id", "geometry"])
    }
}
