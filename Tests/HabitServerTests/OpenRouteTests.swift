import HTTPTypes
import HabitTestSupport
import Hummingbird
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of routes whose responses the pages of every origin may read.
@Suite(.engineIndependent, .server(Scene.friends)) struct OpenRouteTests {
    private static let origin = "https://other.example.org"

    /// Returns a router with an open route and a route that is not open.
    private static func router(_ services: Services) -> Router<ServerContext> {
        let routes = [
            Route.undocumented("/open/{id}") { call in
                guard try call.pathParameter("id") == "known" else { throw Problem.notSignedIn }
                return Response(status: .ok)
            }
            .openToEveryOrigin(),
            Route.undocumented("/closed/{id}") { _ in Response(status: .ok) },
        ]
        let router = Router(context: ServerContext.self)
        services.addMiddleware(to: router, for: routes)
        router.register(routes, services.calls)
        return router
    }

    /// Calls `test` with a client of the routes.
    private static func run(_ test: @escaping @Sendable (ServerClient) async throws -> Void) async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run(router(fixture.server.services), test)
    }

    @Test(arguments: [nil, origin, "null"]) func openResponseIsReadableFromEveryOrigin(origin: String?) async throws {
        try await Self.run { client in
            let response = try await client.send(path: "/open/known", headers: Self.headers(origin))
            #expect(response.headers[.accessControlAllowOrigin] == "*")
            #expect(response.headers[.vary] == nil)
            #expect(response.headers[.accessControlAllowCredentials] == nil)
        }
    }

    @Test func errorOfOpenRouteIsReadable() async throws {
        try await Self.run { client in
            let response = try await client.send(path: "/open/other", headers: Self.headers(Self.origin))
            #expect(response.status == 401)
            #expect(response.headers[.accessControlAllowOrigin] == "*")
        }
    }

    @Test func browserMayRequestAnOpenPathWithHeaders() async throws {
        try await Self.run { client in
            let headers = Self.headers(Self.origin).merging([.accessControlRequestMethod: "GET"])
            let response = try await client.send(.options, path: "/open/known", headers: headers)
            #expect(response.status == 204)
            #expect(response.headers[.accessControlAllowOrigin] == "*")
            #expect(response.headers[.accessControlAllowHeaders]?.contains("If-None-Match") == true)
        }
    }

    @Test(arguments: ["/closed/known", "/open", "/open/known/more", "/nothing"])
    func otherPathsStayClosed(path: String) async throws {
        try await Self.run { client in
            for method in [HTTPRequest.Method.get, .options] {
                let headers = Self.headers(Self.origin).merging([.accessControlRequestMethod: "GET"])
                let response = try await client.send(method, path: path, headers: headers)
                #expect(response.headers[.accessControlAllowOrigin] == nil)
            }
        }
    }

    private static func headers(_ origin: String?) -> HTTPFields {
        var headers = HTTPFields()
        headers[.origin] = origin
        return headers
    }
}
