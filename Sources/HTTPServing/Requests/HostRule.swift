import Foundation
import HTTPTypes

/// The hosts for which the server responds (RFC 9110, section 7.4).
///
/// The header Host goes into links, and a page of another site could otherwise reach the server under its own name (DNS
/// rebinding).
package struct HostRule: Sendable {
    /// Whether a proxy decides.
    private let isAny: Bool
    /// The host of the public URL and the name of the listen address, in lower case.
    private let names: Set<String>

    /// Creates the rule.
    ///
    /// - Parameters:
    ///   - listenHost: The name or the IP address to listen on.
    ///   - publicURL: The URL under which clients reach the server; `nil` if it is the host of each request.
    ///   - isBehindProxy: Whether a proxy decides for which hosts the server responds.
    package init(
        listenHost: String,
        publicURL: String?,
        isBehindProxy: Bool
    ) {
        isAny = isBehindProxy
        let publicHost = publicURL.flatMap { url in
            URLComponents(string: url)?.host
        }
        let hosts = [listenHost, publicHost].compactMap(\.self)
        names = Set(hosts.map(Self.normalized))
    }

    /// Whether a request with this authority may be processed.
    ///
    /// - Parameters:
    ///   - authority: The value of the header Host; `nil` in HTTP/1.0.
    ///   - local: The address of the server to which the client has connected; `nil` if it is unknown.
    /// - Returns: Whether the server serves the host of the authority.
    package func accepts(_ authority: String?, local: String?) -> Bool {
        guard let authority else { return true }
        guard let host = Self.host(of: authority) else {
            return false
        }
        if isAny || names.contains(host) || host == "localhost" {
            return true
        }
        guard let address = IPAddress(host) else { return false }
        if address.isLoopback { return true }
        guard let local else { return false }
        return IPAddress(local) == address
    }

    /// Returns the host of an authority in lower case, without the brackets of an IPv6 address and without the port.
    ///
    /// Returns `nil` if the authority is not valid.
    package static func host(of authority: String) -> String? {
        let bytes = authority.utf8
        let hasBrackets = bytes.first == .openingBracket
        let end = bytes.firstIndex(of: hasBrackets ? .closingBracket : .colon)
        if hasBrackets, end == nil { return nil }
        let hostEnd = end ?? bytes.endIndex
        let host = normalized(String(authority[..<hostEnd]))
        guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
            return nil
        }
        let rest = authority[hostEnd...].dropFirst(hasBrackets ? 1 : 0)
        guard rest.isEmpty || isPort(rest) else { return nil }
        return host
    }

    /// Whether a text is a colon and the number of a port.
    private static func isPort(_ text: Substring) -> Bool {
        // The port may be empty (RFC 3986, section 3.2.3).
        if text == ":" { return true }
        guard text.first == ":" else { return false }
        let digits = text.dropFirst()
        guard digits.utf8.count <= 5,
            digits.utf8.allSatisfy(\.isASCIIDigit)
        else {
            return false
        }
        guard let port = Int(digits) else { return false }
        return port <= 65_535
    }

    private static func normalized(_ host: String) -> String {
        var host = host.lowercased()
        if host.hasPrefix("[") { host.removeFirst() }
        if host.hasSuffix("]") { host.removeLast() }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Whether a byte may appear in a host name or an IP address.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-.:_".utf8.contains(byte)
    }
}

extension Problem {
    /// The problem of a request for another host.
    package static let misdirected = Problem(
        .misdirectedRequest,
        slug: ServerSlug.misdirectedRequest,
        detail: "the server does not serve this host: use its address, or ask the operator to set its public URL",
        field: "Host")
}
