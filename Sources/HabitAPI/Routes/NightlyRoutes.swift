import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import Hummingbird
import Rendering

/// The routes of the files of nightly runs, for the operator.
package struct NightlyRoutes: RouteGroup {
    /// The path of the list of all runs.
    package static let path = "/nights/\(NightlyArchive.listName)"

    private let archive: NightlyArchive?

    /// Creates the routes.
    ///
    /// - Parameter archive: The nightly runs; `nil` without `--nights`.
    package init(archive: NightlyArchive?) { self.archive = archive }

    package var routes: [Route] {
        guard let archive else { return [] }
        return [
            .undocumented(Self.path, permission: .operator) { call in
                try Self.response(to: call, archive.list, named: NightlyArchive.listName)
            },
            .undocumented("/nights/{run}/{file}", permission: .operator) { call in
                let name = try call.pathParameter("file")
                let content = try archive.content(of: name, inRun: try call.pathParameter("run"))
                return try Self.response(to: call, content, named: name)
            },
        ]
    }

    /// Responds with a file.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - content: The content of the file.
    ///   - name: The name of the file, whose ending is its format.
    /// - Returns: The response, or 304 if the client has the file.
    /// - Throws: An error of the compression.
    private static func response(to call: Call, _ content: [UInt8], named name: String) throws -> Response {
        let format = OutputFormat(fileName: name)
        // Parquet files are already compressed.
        let isBinary = format?.isBinary ?? false
        let encoding = isBinary ? .identity : ContentEncoding(for: call.request)
        let tag = EntityTag(of: [content.sha256.hexadecimal, name]).encoded(encoding)
        guard !tag.matches(ifNoneMatch: call.request) else { return .notModified(tag) }
        var headers = Self.headers(of: format)
        headers[.eTag] = tag.text
        return try Response(content, encoded: encoding, headers: headers).forOneViewer
    }

    /// Returns the header fields of a file in a format.
    ///
    /// A page contains its style sheets. Its own policy permits only these and its script, and the policy of the response
    /// permits no other script.
    private static func headers(of format: OutputFormat?) -> HTTPFields {
        guard format == .html else {
            return [.contentType: format?.mediaType.text ?? "application/octet-stream"]
        }
        let sources = ["style-src 'unsafe-inline'", "script-src \(NightlyArchive.scriptSource)"]
        return ContentPolicy.headers(ContentPolicy.text(sources))
    }
}
