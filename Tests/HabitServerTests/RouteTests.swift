import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that the router, the document at `/api`, the header `Allow` and the checks of requests agree with the routes.
@Suite(.engineIndependent, .server(Scene.friends + Scene.exchange)) struct RouteTests {
    /// A documented operation with a path of existing resources.
    struct DocumentedOperation: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let operation: RouteOperation

        var testDescription: String { "\(method) \(path)" }
    }

    /// A user who has records, follows another user and is a party of claims and messages.
    private static let reader = "all"

    /// Values of the parameters of paths that are the same in all collections.
    private static let values = [
        "tileMatrix": "0", "tileRow": "0", "tileCol": "0", "sessionId": "unknown", "calendarId": "unknown",
        "passkeyId": "unknown", "userId": "unknown", "itemId": "unknown",
        "calendarFile": "unknown.ics", "viewId": "unknown", "viewSecret": "unknown", "tileFile": "0.mvt",
    ]

    /// Returns the documented operations of a server, with IDs of features that the reader can see.
    private static func operations(of server: HabitatServer, _ client: ServerClient) async throws
        -> [DocumentedOperation]
    {
        var ids: [String: String] = [:]
        for collection in FeatureCollection.all {
            let list = try await client.send(path: "/collections/\(collection.id)/items?scope=all", as: reader)
            let plain = try await client.send(path: "/collections/\(collection.id)/items", as: reader)
            let features = (list.status == 200 ? list : plain).json["features"] as? [[String: Any]]
            ids[collection.id] = features?.first?["id"] as? String
        }
        return server.routes.flatMap { route in
            route.documented(true).map { operation in
                var path = operation.path ?? route.path
                for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
                let collection = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
                let id = ids[collection]?.urlEncoded ?? "unknown"
                path = path.replacing("{featureId}", with: id)
                return DocumentedOperation(method: route.method, path: path, operation: operation)
            }
        }
    }

    @Test func allowNamesDocumentedMethodsOfEachPath() async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run { client in
            let operations = try await Self.operations(of: fixture.server, client)
            let paths = Dictionary(grouping: operations, by: \.path)
            #expect(paths.count > 80)
            for (path, operations) in paths {
                let response = try await client.send(.options, path: path)
                var methods = operations.map(\.method.rawValue).sorted()
                if methods.contains("GET") { methods.append("HEAD") }
                #expect(response.status == 204, "\(path)")
                #expect(response.headers[.allow] == methods.joined(separator: ", "), "\(path)")
                let other = try await client.send(.trace, path: path)
                #expect(other.status == 405, "\(path)")
                #expect(other.headers[.allow] == methods.joined(separator: ", "), "\(path)")
            }
        }
    }

    @Test func tokenIsCheckedBeforeUnknownParameter() async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run { client in
            for operation in try await Self.operations(of: fixture.server, client) {
                let path = operation.path + "?unknown-parameter=1"
                let anonymous = try await client.send(operation.method, path: path)
                switch operation.operation.permission {
                case .everyone, .anyCaller, .selectedReaders:
                    #expect(anonymous.status != 401, "\(operation.testDescription)")
                    guard operation.operation.query != nil else { continue }
                    #expect(anonymous.status == 400, "\(operation.testDescription)")
                case .readers, .viewers, .operator, .users, .photoReaders:
                    #expect(anonymous.status == 401, "\(operation.testDescription)")
                    guard operation.operation.query != nil else { continue }
                    let known = try await client.send(operation.method, path: path, as: Self.reader)
                    #expect(known.status == 400, "\(operation.testDescription)")
                    #expect(known.field == "unknown-parameter", "\(operation.testDescription)")
                }
            }
        }
    }

    @Test func operationsForUsersRefuseTheOperator() async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run { client in
            for operation in try await Self.operations(of: fixture.server, client) {
                guard case .users(let refusal) = operation.operation.permission else { continue }
                let refused = try await client.send(operation.method, path: operation.path, as: "operator")
                #expect(refused.status == 403, "\(operation.testDescription)")
                #expect(refused.slug == "not-signed-in", "\(operation.testDescription)")
                #expect(refused.json["detail"] as? String == refusal, "\(operation.testDescription)")
            }
        }
    }

    /// The paths of resources that do not exist in the scene, and the parameters that a request needs.
    private static let exceptions: [String: String] = [
        "/sessions/unknown": "404", "/user/calendars/unknown": "404", "/calendars/unknown.ics": "404",
        "/user/views/unknown": "404",
        "/near": "200 near=10,50", "/reports/nearby": "200 near=10,50",
        "/tiles/WebMercatorQuad": "200 collections=events,items",
        "/tiles/WebMercatorQuad/0/0/0": "200 collections=events,items",
    ]

    @Test func validReadsHaveTheDocumentedStatusAndType() async throws {
        let fixture = try ServerFixture.shared
        let photos = Set(["events", "located-events", "items", "posts"].map { "/collections/\($0)/items/" })
        try await fixture.run { client in
            for operation in try await Self.operations(of: fixture.server, client) where operation.method == .get {
                // The stream does not end, and the records of the scene have no photos.
                let hasNoPhoto = photos.contains { operation.path.hasPrefix($0) && operation.path.hasSuffix("/photo") }
                guard operation.path != "/changes/stream", !hasNoPhoto else { continue }
                let required = (operation.operation.query ?? []).filter { parameter in
                    guard case .boolean(true)? = parameter.document?["required"] else { return false }
                    return true
                }
                let isOfView = ["/shared/", "/embed/"].contains { prefix in operation.path.hasPrefix(prefix) }
                let listed = isOfView ? "404" : Self.exceptions[operation.path]
                let exception = listed?.split(separator: " ")
                guard required.isEmpty || exception?.count == 2 else { continue }
                let query = exception?.dropFirst().first.map { "?\($0)" } ?? ""
                let response = try await client.send(path: operation.path + query, as: Self.reader)
                let status = exception?.first.map(String.init) ?? operation.operation.status
                #expect("\(response.status)" == status, "\(operation.testDescription): \(response)")
                guard status == operation.operation.status, let type = response.type else { continue }
                guard case .object(let content)? = operation.operation.content else { continue }
                #expect(content.keys.contains(type), "\(operation.testDescription): \(type)")
            }
        }
    }

    // MARK: Requests at the edges of checks

    @Test func headOfProblemPageHasTheLengthOfThePage() async throws {
        try await ServerFixture.shared.run { client in
            let headers: HTTPFields = [.accept: "text/html"]
            let page = try await client.send(path: "/nope", headers: headers)
            let head = try await client.send(.head, path: "/nope", headers: headers)
            #expect(page.status == 404)
            #expect(head.status == 404)
            #expect(head.headers[.contentLength] == "\(page.body.count)")
            #expect(head.body.isEmpty)
        }
    }

    @Test func parametersOfPutHaveNoEffectOnTheRemovalOfPhotos() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items/r17/photo"
            for query in ["?shrink=true", "?keep-exif=true"] {
                let removed = try await client.send(.delete, path: path + query, as: "owner")
                #expect(removed.status == 204, "\(removed)")
            }
            let refused = try await client.send(.delete, path: path + "?shrink=maybe", as: "owner")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == "shrink", "\(refused)")
        }
    }

    /// The queries whose parameter `signature` has no value or another spelling, or that only contain the word.
    private static let unsignedQueries = ["?signature", "?download&signature", "?download=signature="]

    @Test(arguments: unsignedQueries) func photoWithoutSignatureNeedsPublicCollection(query: String) async throws {
        let path = "/collections/events/items/r17/photo" + query
        try await ServerFixture.shared.run { client in
            let anonymous = try await client.send(path: path)
            #expect(anonymous.status == 401, "\(anonymous)")
        }
    }

    @Test(.server(Scene.friends) { $0.publicCollections = ["events"] }, arguments: unsignedQueries)
    func photoOfPublicCollectionNeedsNoSignature(query: String) async throws {
        let path = "/collections/events/items/r17/photo" + query
        try await ServerFixture.shared.run { client in
            // The event has no photo. The value of 'download' is checked before the event.
            let anonymous = try await client.send(path: path)
            #expect(anonymous.status == (query.contains("download=") ? 400 : 404), "\(anonymous)")
        }
    }

    // MARK: Documentation

    /// The names in the documentation of the parameters of paths.
    private static let placeholders = [
        "{collection}": "ID", "{report}": "ID", "{sessionId}": "ID", "{calendarId}": "ID", "{passkeyId}": "ID",
        "{featureId}": "FEATURE", "{itemId}": "ITEM", "{userId}": "ID",
        "{calendarFile}": "SECRET.ics", "{viewSecret}": "SECRET", "{viewId}": "ID", "{tileFile}": "{y}.mvt",
        "{tileMatrixSet}": "WebMercatorQuad", "{tileMatrix}": "{z}",
        "{tileRow}": "{y}", "{tileCol}": "{x}",
    ]

    /// The table of the manual lists every path of a documented route, and no other path.
    @Test func manualListsThePathsOfRoutes() throws {
        let manual = try String(contentsOfFile: Program.repository + "/docs/http-api.md", encoding: .utf8)
        let endpoints = #/(?s)\n## Endpoints\n(.*?)\n## /#
        let section = try #require(manual.firstMatch(of: endpoints)).output.1
        let path = /`(\/[^`?]*)(?:\?[^`]*)?`/
        let spans = section.matches(of: path).map { span in String(span.output.1) }
        let server = try ServerFixture.emptyServer()
        let paths = server.routes.filter { route in !route.documented(true).isEmpty }.map { route in
            Self.placeholders.reduce(route.path) { path, name in path.replacing(name.key, with: name.value) }
        }
        // The metrics are on the operator's listener.
        #expect(Set(spans).subtracting(["/metrics"]) == Set(paths))
    }

    // MARK: Sources

    private static func sources(of module: String) throws -> [String: String] {
        let folder = Program.repository + "/Sources/" + module
        var texts: [String: String] = [:]
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder))
        where name.hasSuffix(".swift") {
            texts["\(module)/\(name)"] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
        return texts
    }

    @Test func onlyOneFileRegistersOnTheRouter() throws {
        let registration = /\b(?:router\.(?:on|get|put|post|patch|delete|head|group)\(|\bon\()/
        var files: [String] = []
        for module in ["HTTPServing", "HabitAPI", "HabitPages", "HabitServer"] {
            for (file, text) in try Self.sources(of: module) where text.contains(registration) { files.append(file) }
        }
        #expect(files == ["HabitAPI/Routes/Router+Routes.swift"])
    }

    @Test func noFileExtendsTheServer() throws {
        for module in ["HTTPServing", "HabitAPI", "HabitPages", "HabitServer"] {
            for (file, text) in try Self.sources(of: module) {
                #expect(!text.contains(/extension HabitatServer\b/), "\(file)")
            }
        }
    }

    @Test func foldersOfTheServerHaveAtMost30Files() throws {
        for module in ["HTTPServing", "HabitAPI", "HabitPages", "HabitServer"] {
            let files = try Self.sources(of: module).keys
            let folders = Dictionary(grouping: files) { file in
                file.split(separator: "/").dropLast().joined(separator: "/")
            }
            for (folder, files) in folders { #expect(files.count <= 30, "\(folder)") }
        }
    }
}
