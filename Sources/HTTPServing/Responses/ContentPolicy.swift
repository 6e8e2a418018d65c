import Foundation
import HTTPTypes

/// The Content-Security-Policy and the Permissions-Policy of pages.
package enum ContentPolicy {
    /// The powerful features that pages may ask for.
    package static let permissions = "geolocation=(self), camera=(self)"

    /// Returns the header fields of a page with its policies.
    ///
    /// - Parameter policy: The Content-Security-Policy.
    /// - Returns: The header fields.
    package static func headers(_ policy: String) -> HTTPFields {
        var headers: HTTPFields = [.contentType: ContentType.html.text, .contentSecurityPolicy: policy]
        // With the policy no-referrer, the browser would send the forms of the page without its origin.
        headers[.referrerPolicy] = "same-origin"
        headers[.permissionsPolicy] = permissions
        headers[.crossOriginOpenerPolicy] = "same-origin"
        return headers
    }

    /// Returns the policy that permits only `sources`.
    ///
    /// - Parameters:
    ///   - sources: The directives of the sources.
    ///   - framers: The pages that may show the page in a frame.
    /// - Returns: The policy.
    package static func text(_ sources: [String], framedBy framers: String = "'none'") -> String {
        let first = ["default-src 'none'"]
        let last = [
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors \(framers)",
        ]
        return (first + sources + last).joined(separator: "; ")
    }

    /// Returns the sources of the images of a map: this server, and the tile server if the options have one.
    ///
    /// - Parameter tiles: The URL template of the tiles; `nil` for a map without tiles.
    /// - Returns: The directive `img-src`.
    package static func images(_ tiles: String?) -> String {
        let images = "img-src 'self' blob: data:"
        guard let tiles, let server = tileServer(of: tiles) else {
            return images
        }
        return "\(images) \(server)"
    }

    /// Returns the source of a tile server, or `nil` if the URL template names no server.
    private static func tileServer(of tiles: String) -> String? {
        let text =
            tiles
            .replacing("{", with: "")
            .replacing("}", with: "")
        guard let address = URL(string: text),
            let scheme = address.scheme,
            var host = address.host
        else { return nil }
        // {s} is replaced by a subdomain, so that the load is distributed among several tile servers.
        if tiles.contains("{s}") {
            let domain = host.split(separator: ".").dropFirst()
            host = "*." + domain.joined(separator: ".")
        }
        guard let port = address.port else {
            return "\(scheme)://\(host)"
        }
        return "\(scheme)://\(host):\(port)"
    }
}
