import HTTPServing
import HTTPTypes
import HabitAPI
import Hummingbird

/// The routes of the files that pages load.
///
/// The files are the same for everyone and contain no data of users.
package struct WebFileRoutes: RouteGroup {
    /// The path at which browsers look for the icon of a response that is not a page.
    static let iconPath = "/favicon.ico"

    package init() {}

    package var routes: [Route] {
        [
            .undocumented("/\(WebFiles.folder)/{version}/{file}") { call in
                try response(to: call, version: call.pathParameter("version"), name: call.pathParameter("file"))
            },
            .undocumented(Self.iconPath) { call in
                // The address has no version, so a browser uses its copy only for a day.
                try Self.response(to: call, with: WebFiles.icon, lifetime: "max-age=86400")
            },
        ]
    }

    /// Responds with a file of the current version.
    ///
    /// A page that was loaded before an upgrade may request a file of the earlier version later, for example a level of
    /// the base map. It gets the current file, because the page could not work without it.
    private func response(to call: Call, version: String, name: String) throws -> Response {
        let files = WebFiles.all
        guard version != files.digest else {
            return try Self.response(to: call, with: name, lifetime: "max-age=31536000, immutable")
        }
        guard files[name] != nil else { throw HTTPError(.notFound) }
        let location = "\(PageSite(call.visit).root)/\(files.path(of: name))"
        return Response(status: .found, headers: [.location: location, .cacheControl: "no-store"])
    }

    /// Responds with a file in the encoding that the client accepts.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - name: The name of the file.
    ///   - lifetime: The directives of the header `Cache-Control` for the time for which a cache may use the response.
    /// - Returns: The response.
    /// - Throws: 404 if there is no such file, and `internal` if it cannot be decompressed.
    private static func response(to call: Call, with name: String, lifetime: String) throws -> Response {
        guard let file = WebFiles.all[name] else { throw HTTPError(.notFound) }
        let encoding = ContentEncoding(for: call.request)
        let tag = EntityTag(value: WebFiles.all.digest).encoded(encoding)
        var headers: HTTPFields = [
            .contentType: file.type,
            .cacheControl: "public, \(lifetime)",
            .eTag: tag.text,
            .vary: "Accept-Encoding",
        ]
        guard !tag.matches(ifNoneMatch: call.request) else {
            return Response(status: .notModified, headers: headers)
        }
        let body: [UInt8]
        switch encoding {
        case .gzip:
            body = file.compressed
            headers[.contentEncoding] = "gzip"
        case .identity:
            body = try file.content()
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
