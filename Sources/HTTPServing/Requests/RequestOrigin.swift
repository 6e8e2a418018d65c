import Foundation
import HTTPTypes
import Hummingbird

/// The page that has caused a request, as the browser describes it (Fetch Metadata Request Headers, sections 2.1 to 2.4).
package struct RequestOrigin: Sendable, Equatable {
    /// The method of the request.
    package var method: HTTPRequest.Method
    /// The relation of the page to the server (`Sec-Fetch-Site`); `nil` for an old browser, for plain http, and for a
    /// client that is not a browser.
    package var site: String?
    /// The mode of the request (`Sec-Fetch-Mode`), such as `navigate`.
    package var mode: String?
    /// The use of the response (`Sec-Fetch-Dest`), such as `document`.
    package var destination: String?
    /// The origin of the page (`Origin`).
    package var origin: String?
    /// The address of the page (`Referer`).
    package var referrer: String?

    /// Creates the description of a page.
    package init(
        method: HTTPRequest.Method,
        site: String? = nil,
        mode: String? = nil,
        destination: String? = nil,
        origin: String? = nil
    ) {
        self.method = method
        self.site = site
        self.mode = mode
        self.destination = destination
        self.origin = origin
    }

    /// Reads the description of the page in a request.
    package init(of request: Request) {
        self.init(
            method: request.method,
            site: request.headers[.fetchSite],
            mode: request.headers[.fetchMode],
            destination: request.headers[.fetchDestination],
            origin: request.headers[.origin])
        referrer = request.headers[.referer]
    }

    /// Whether a request with a cookie may be processed, because this server's pages or the user have caused it.
    ///
    /// A link on a page of another site may open a page. Everything else that another site causes is refused, so that it
    /// cannot act for the user (cross-site request forgery).
    ///
    /// | `Sec-Fetch-Site` | condition |
    /// |---|---|
    /// | `same-origin`, `none` | |
    /// | another value | the method is GET, `Sec-Fetch-Mode` is `navigate`, and `Sec-Fetch-Dest` is `document` |
    /// | absent | the method is GET or HEAD, or `Origin` is the origin of the server |
    ///
    /// - Parameter address: The URL under which clients reach the server.
    /// - Returns: Whether the request is accepted.
    package func isTrusted(at address: String) -> Bool {
        switch site {
        case "same-origin", "none":
            return true
        case nil:
            let isRead = method == .get || method == .head
            return isRead || origin != nil && origin == Self.origin(of: address)
        default:
            return method == .get && mode == "navigate" && destination == "document"
        }
    }

    /// Whether a page of this server or the user has opened the page of a request, and no link on another site.
    ///
    /// Without `Sec-Fetch-Site`, the header `Referer` decides, which pages of the server send to it.
    ///
    /// - Parameter address: The URL under which clients reach the server.
    /// - Returns: Whether the link is one of the server, or `nil` if the request has neither header: another site can
    ///   omit `Referer`.
    package func isOwnLink(at address: String) -> Bool? {
        guard let site else {
            return referrer.map { referrer in Self.origin(of: referrer) == Self.origin(of: address) }
        }
        return site == "same-origin" || site == "none"
    }

    /// Returns the origin of a URL as browsers send it (RFC 6454, section 6.2), or `nil` for another text.
    package static func origin(of address: String) -> String? {
        guard let url = URLComponents(string: address),
            let scheme = url.scheme?.lowercased(),
            let host = url.encodedHost?.lowercased()
        else { return nil }
        let standardPort = ["http": 80, "https": 443][scheme]
        guard let port = url.port, port != standardPort else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }
}

extension Problem {
    /// The problem of a request with a cookie that a page of another site has caused.
    package static let crossSite = Problem(
        .forbidden,
        slug: ServerSlug.crossSite,
        detail:
            "a page of another site has sent this request: send it from a page of this server, or with a token in the header 'Authorization'"
    )
}

extension HTTPField.Name {
    package static let fetchSite = known("Sec-Fetch-Site")
    package static let fetchMode = known("Sec-Fetch-Mode")
    package static let fetchDestination = known("Sec-Fetch-Dest")
    package static let clearSiteData = known("Clear-Site-Data")
    package static let permissionsPolicy = known("Permissions-Policy")
    package static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
}
