import Base
import Foundation
import HabitModel
import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct ReportTests {
    @Test func headerDeclaresParametersAndColumns() throws {
        let report = try ReportSample.report()
        #expect(report.title == "Events near a place")
        #expect(
            report.description
                == "What happened within a distance of a place, nearest first. What lies exactly at the distance is in."
        )
        #expect(report.parameters.map(\.name) == ["near", "within", "min_visits"])
        #expect(report.parameters.map(\.need) == [.required, .default("5km"), .optional])
        #expect(report.parameters.map(\.kind) == [.position, .distance, .integer])
        #expect(report.parameters[2].meaning == "No fewer - or none.")
        #expect(report.parameters[2].line == 6)
        #expect(report.parameters.flatMap(\.sqlNames) == ["near_longitude", "near_latitude", "within", "min_visits"])
        #expect(report.parameters[2].optionName == "min-visits")
        #expect(report.columns.map(\.name) == ["id", "distance_m", "longitude", "latitude"])
        #expect(report.columns.map(\.unit) == [nil, "m", "degrees", "degrees"])
        #expect(report.key == ["id"])
        #expect(report.geometry == .point(longitude: 2, latitude: 3))
        #expect(report.formats == [.text, .csv, .geojson, .html])
        #expect(report.chartLines == [Report.ChartLine(chart: try Chart("map"), line: 14)])
        #expect(report.nightly == [])
        #expect(report.example == "--near 38.7223,-9.1393 --within=800m")
        #expect(report.sqlLine == 16)
        #expect(report.sql.hasPrefix("SELECT e.id"))
        #expect(report.sql.hasSuffix("e.id\n"))
    }

    @Test(arguments: [
        ReportSample.text.replacing("\n", with: "\r\n"), "\u{feff}" + ReportSample.text,
        ReportSample.text.replacing("-- key", with: "\n--\n-- key"), String(ReportSample.text.dropLast()),
    ])
    func lineEndsByteOrderMarksAndEmptyLinesAreIgnored(text: String) throws {
        let report = try ReportSample.report(text)
        #expect(report.title == "Events near a place")
        #expect(report.key == ["id"])
        #expect(report.sql.contains("JOIN events AS e ON e.id = n.id\nWHERE"))
        #expect(report.sqlLine == (text.contains("\n--\n") ? 18 : 16))
    }

    @Test func shapeHasTypesOfValuesAndGeometry() throws {
        let shape = try ReportSample.report().shape
        #expect(
            shape.columns.map(\.value) == [
                .text,
                .number(decimals: 3),
                .number(decimals: 7),
                .number(decimals: 7),
            ])
        #expect(shape.columns.map(\.index) == [0, 1, 2, 3])
        #expect(shape.coordinates == ["longitude", "latitude"])
        #expect(shape.geometry == .point(4))
        #expect(shape.identity.map(\.name) == ["id"])
    }

    @Test func shapeOfBoxHasItsSides() throws {
        let sides = ["west", "south", "east", "north"].map { "-- column: \($0) number degrees - A side." }
        let text = ReportSample.text
            .replacing("-- key", with: sides.joined(separator: "\n") + "\n-- key")
            .replacing("geometry: longitude latitude", with: "geometry: west south east north")
        let shape = try ReportSample.report(text).shape
        #expect(shape.geometry == .box(west: 4, south: 5, east: 6, north: 7))
        #expect(shape.columns.suffix(4).map(\.value) == Array(repeating: .number(decimals: 7), count: 4))
    }

    @Test(
        arguments: zip(
            ["a text", "a integer days", "a number", "a number km", "a number m", "a boolean", "a date", "a instant"],
            [
                .text, .integer, .number(decimals: 6), .number(decimals: 6), .number(decimals: 3), .boolean, .day,
                .instantText,
            ]
                as [Column.Value]))
    func typeOfColumnDeterminesValue(column: String, value: Column.Value) throws {
        let report = try ReportSample.report(
            ReportSample.replacing("-- column: distance_m", with: "-- column: \(column) - Means."))
        #expect(report.shape.columns[1].value == value)
    }

    @Test(arguments: ["near-me", "a", "a1-2", String(repeating: "a", count: 64)])
    func validIDIsAccepted(id: String) throws { try Report.checkID(id) }

    @Test(arguments: [
        "", "A", "a_b", "1a", "-a", "a b", "é", "../a",
        String(repeating: "a", count: 65),
    ])
    func invalidIDIsRefused(id: String) {
        #expect(failure { try Report.checkID(id) }?.code == .reportInvalid)
        #expect(failure { _ = try ReportSample.report(id: id) }?.code == .reportInvalid)
    }
}
