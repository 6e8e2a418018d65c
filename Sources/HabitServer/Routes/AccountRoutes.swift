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
        let responseTag = tag(of: request, for: viewer)
        let account = try await pool.read(for: Requester(viewer)) { session in
            try OwnAccount(of: viewer, tagged: responseTag, in: session)
        }
        let encoding = ContentEncoding(for: request)
        let tag = account.tag.encoded(encoding)
        if tag.matches(ifNoneMatch: request) { return notModified(tag) }
        return try answer(account, encoding)
    }

    private func changeAccount(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        let condition = Preconditions(request.headers)
        let responseTag = tag(of: request, for: viewer)
        let account = try await withBody(of: request, for: viewer.name, limit: 16_384) { [pool] body in
            let draft = try RecordPayload(body, kind: .users, replaces: false, ignored: []).account()
            return try await pool.write(for: Requester(viewer)) { session in
                guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
                try condition.check(stored: try OwnAccount.storedTag(of: viewer, in: session), of: "account")
                try AccountActions(viewer, in: session).edit(id, draft)
                return try OwnAccount(of: viewer, tagged: responseTag, in: session)
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
            try condition.check(stored: try OwnAccount.storedTag(of: viewer, in: session), of: "account")
            _ = try AccountActions(viewer, in: session).delete(id)
        }
        audit("account.delete", request, context, user: viewer, [:])
        return Response(status: .noContent)
    }

    private func tag(of request: Request, for viewer: Viewer) -> ResponseTag {
        ResponseTag(
            request, of: .viewer(viewer), for: .viewer(viewer), at: options.clock(), dependsOnDay: false, ["user"])
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
        return try await respond(.identity, context, for: Requester(viewer), on: .responses) { session, begin in
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
    var tag: EntityTag

    /// Returns the tag of the stored account of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - session: The session in which the version is read.
    /// - Returns: The tag, of which a condition compares the version of the account.
    /// - Throws: 401 `not-signed-in` if another request has deleted the account.
    static func storedTag(of viewer: Viewer, in session: any Session) throws -> EntityTag {
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        let record = EditableRecord(kind: .users, id: id, viewer: viewer)
        guard let tag = try record.storedTag(in: session) else { throw Problem.tokenInvalid }
        return tag
    }

    /// Reads the account of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - responseTag: The basis of the tag of the response.
    ///   - session: The session in which the account is read.
    /// - Throws: 401 `not-signed-in` if another request has deleted the account.
    init(of viewer: Viewer, tagged responseTag: ResponseTag, in session: any Session) throws {
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
        let stored = try Self.storedTag(of: viewer, in: session)
        tag = EntityTag(version: stored.value, shown: try responseTag.value(in: session))
    }
}
