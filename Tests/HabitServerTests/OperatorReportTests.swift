import Base
import Foundation
import HabitModel
import HabitReport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that the operator's token works for every shipped report.
@Suite(.serialized, .server(Scene.friends)) struct OperatorReportTests {
    /// The IDs of the shipped reports.
    private static func ids(_ fixture: ServerFixture) -> [String] {
        let ids = fixture.server.services.catalog.all().map(\.id)
        #expect(ids.count >= 19)
        return ids
    }

    @Test func operatorTokenWorksForEveryReport() async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run { client in
            let list = try await client.send(path: "/reports", as: "operator").json["reports"] as? [[String: Any]] ?? []
            #expect(list.compactMap { $0["id"] as? String } == Self.ids(fixture))
            for id in Self.ids(fixture) {
                let report = try fixture.server.services.catalog.find(id)
                var arguments: [String] = []
                for parameter in report.parameters where parameter.need == .required {
                    #expect(parameter.kind == .position, "\(id): \(parameter.optionName)")
                    // Without the position, the error names the parameter and its form.
                    let missing = try await client.send(path: "/reports/\(id)", as: "operator")
                    #expect(missing.status == 400, "\(id): \(missing)")
                    #expect(missing.field == parameter.optionName, "\(id): \(missing)")
                    #expect(missing.text.contains("LONGITUDE,LATITUDE"), "\(missing)")
                    arguments.append("\(parameter.optionName)=10,50")
                }
                for parameter in report.parameters where parameter.need == .default("me") {
                    arguments.append("\(parameter.optionName)=all")
                }
                for format in report.formats {
                    let path = "/reports/\(id)?" + (arguments + ["f=\(format.rawValue)"]).joined(separator: "&")
                    let response = try await client.send(path: path, as: "operator")
                    #expect(response.status == 200, "\(path): \(response)")
                    #expect(response.type == format.mediaType.text)
                }
            }
        }
    }

    /// The operator has no followed users and no newest event.
    @Test func valueThatNeedsUserIsRefusedWithRemedy() async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run { client in
            for id in Self.ids(fixture) {
                for parameter in try fixture.server.services.catalog.find(id).parameters {
                    let name = parameter.optionName
                    var paths: [String] = []
                    if parameter.kind == .user { paths.append("/reports/\(id)?\(name)=me") }
                    if parameter.need == .default("me") { paths.append("/reports/\(id)") }
                    if parameter.kind == .position { paths.append("/reports/\(id)?\(name)=last") }
                    if parameter.kind == .user, id.hasSuffix("near") { paths[0] += "&near=10,50" }
                    for path in paths {
                        let refused = try await client.send(path: path, as: "operator")
                        #expect(refused.status == 403, "\(path): \(refused)")
                        #expect(refused.slug == "not-signed-in", "\(path): \(refused)")
                        #expect(refused.field == name, "\(refused)")
                        #expect(refused.text.contains("the token of a user"), "\(refused)")
                    }
                }
            }
            let latest = try await client.send(path: "/reports/friends-latest?user=all&f=json", as: "operator")
            let own = try await client.send(path: "/reports/friends-latest?f=json", as: "all")
            #expect(latest.status == 200, "\(latest) \(own)")
            #expect(latest.body == own.body, "\(latest) \(own)")
            // A request without a token still gets 401.
            #expect(try await client.send(path: "/reports/friends-latest").status == 401)
        }
    }
}
