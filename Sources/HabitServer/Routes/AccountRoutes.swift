import Base
import HTTPTypes
import HabitIngest
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Routes for the caller's own account: its settings, its data and its deletion.
extension HabitatServer {
    func addAccount(to router: Router<HabitContext>) {
        router.route("user", [.get: account, .patch: changeAccount, .delete: deleteAccount])
        router.route("user/export", [.get: exportAccount])
    }

    private func account(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        let account = try await pool.read(for: Requester(viewer)) { try OwnAccount(of: viewer, in: $0) }
        let encoding = ContentEncoding(for: request)
        let tag = account.tag.encoded(encoding)
        if tag.matches(ifNoneMatch: request) { return notModified(tag) }
        return try answer(account, encoding)
    }

    private func changeAccount(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        let condition = Preconditions(request.headers)
        let account = try await withBody(of: request, for: viewer.name, limit: 16_384) { [pool] body in
            let draft = try RecordPayload(body, kind: .users, replaces: false, ignored: []).account()
            return try await pool.write(for: Requester(viewer)) { session in
                guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
                try condition.check(stored: try OwnAccount(of: viewer, in: session).tag, of: "account")
                try AccountActions(viewer, in: session).edit(id, draft)
                return try OwnAccount(of: viewer, in: session)
            }
        }
        audit("account.update", request, context, [:])
        return try answer(account, ContentEncoding(for: request))
    }

    private func deleteAccount(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        let condition = Preconditions(request.headers)
        try await pool.write(for: Requester(viewer)) { session in
            guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
            try condition.check(stored: try OwnAccount(of: viewer, in: session).tag, of: "account")
            _ = try AccountActions(viewer, in: session).delete(id)
        }
        audit("account.delete", request, context, user: viewer, [:])
        return Response(status: .noContent)
    }

    private func answer(_ account: OwnAccount, _ encoding: ContentEncoding) throws -> Response {
        try compressed(
            account.bytes, encoding, .ok,
            Self.caching.merging([.eTag: account.tag.encoded(encoding).text, .contentType: MediaType.json.text]))
    }

    /// Responds with a ZIP archive of the files that `habitat export` writes, with the records of the caller.
    private func exportAccount(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        audit("account.export", request, context, [:])
        return try await respond(.identity, context, for: Requester(viewer), on: .responses) { session, _, begin in
            let export = try StoreExport(ExportQuery(ofUser: id, for: viewer, in: session))
            let archive = ZipFolder(
                try begin([
                    .contentType: MediaType.zip.text, .cacheControl: "no-store",
                    .contentDisposition: "attachment; filename=\"habitat-export.zip\"",
                ]))
            _ = try export.write(to: archive, in: session)
            try archive.end()
        }
    }
}

/// The document of the caller's own account.
private struct OwnAccount: Sendable {
    var bytes: [UInt8]
    var tag: EntityTag { EntityTag(stored: bytes, shown: []) }

    /// Reads the account of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - session: The session in which the account is read.
    /// - Throws: 401 `not-signed-in` if another request has deleted the account.
    init(of viewer: Viewer, in session: any Session) throws {
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        let selection = try UserQuery.one(id, viewer: viewer, in: session)
        let names = ["id", "name", "email", "time_zone", "share_location"]
        guard let shape = selection.shape.selecting(names) else {
            throw HabitError(.internal, "the query for an account lacks a column")
        }
        let output = OutputBuffer()
        var options = RenderOptions()
        options.single = true
        let renderer = JSONRenderer(shape, options, output)
        try session.query(selection.sql) { row in
            try renderer.append(row)
            return true
        }
        guard renderer.rowCount == 1 else { throw Problem.tokenInvalid }
        try renderer.end()
        bytes = output.contents
    }
}
