import Foundation
import HTTPTypes

/// The hosts for which the server responds (RFC 9110, section 7.4).
///
/// The header Host goes into links, and a page of another site could otherwise reach the server under its own name (DNS
/// rebinding).
struct HostRule: Sendable {
    /// Whether a proxy decides.
    private let isAny: Bool
    /// The host of the public URL and the name of the listen address, in lower case.
    private let names: Set<String>

    init(_ options: ServerOptions) {
        isAny = options.isBehindProxy
        let publicHost = options.publicURL.flatMap { URLComponents(string: $0)?.host }
        names = Set([options.host, publicHost].compactMap { $0.map(Self.normalized) })
    }

    /// Whether a request with this authority may be processed.
    ///
    /// - Parameters:
    ///   - authority: The value of the header Host; `nil` in HTTP/1.0.
    ///   - local: The address of the server to which the client has connected; `nil` if it is unknown.
    /// - Returns: Whether the server serves the host of the authority.
    func accepts(_ authority: String?, local: String?) -> Bool {
        guard let authority else { return true }
        guard let host = Self.host(of: authority) else { return false }
        guard !isAny, !names.contains(host), host != "localhost" else { return true }
        guard let address = IPAddress(host) else { return false }
        return address.isLoopback || local.flatMap { IPAddress($0) } == address
    }

    /// Returns the host of an authority in lower case, without the brackets of an IPv6 address and without the port.
    ///
    /// Returns `nil` if the authority is not valid.
    static func host(of authority: String) -> String? {
        let bytes = authority.utf8
        let hasBrackets = bytes.first == UInt8(ascii: "[")
        let end = hasBrackets ? bytes.firstIndex(of: UInt8(ascii: "]")) : bytes.firstIndex(of: UInt8(ascii: ":"))
        if hasBrackets, end == nil { return nil }
        let host = normalized(String(authority[..<(end ?? bytes.endIndex)]))
        let rest = end.map { authority[$0...].dropFirst(hasBrackets ? 1 : 0) } ?? ""
        guard !host.isEmpty, host.utf8.allSatisfy(isHostByte), rest.isEmpty || isPort(rest) else { return nil }
        return host
    }

    private static func isPort(_ text: Substring) -> Bool {
        // The port may be empty (RFC 3986, section 3.2.3).
        if text == ":" { return true }
        guard text.first == ":", let port = Int(text.dropFirst()) else { return false }
        return text.utf8.count <= 6 && text.utf8.dropFirst().allSatisfy { (48...57).contains($0) } && port <= 65_535
    }

    private static func normalized(_ host: String) -> String {
        var host = host.lowercased()
        if host.hasPrefix("[") { host.removeFirst() }
        if host.hasSuffix("]") { host.removeLast() }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Whether a byte may appear in a host name or an IP address.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-.:_".utf8.contains(byte)
        }
    }
}

extension HTTPRequest {
    /// Whether the path has an empty segment, as in `//collections` or `/collections/`.
    ///
    /// Such a path is not the path of a resource. A rule of a proxy for a path would otherwise not apply to it.
    var hasEmptySegment: Bool {
        let path = (path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.count > 1 else { return false }
        return path.last == UInt8(ascii: "/")
            || zip(path, path.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/") }
    }

    /// Whether the body has another transfer encoding than `chunked`.
    var hasUnknownTransferEncoding: Bool {
        headerFields[.transferEncoding].map { HeaderValue.trimmed($0[...]).lowercased() != "chunked" } ?? false
    }
}

extension Problem {
    /// The problem of a request for another host.
    static let misdirected = Problem(
        .misdirectedRequest, "misdirected-request",
        "the server does not serve this host: use its address, or ask the operator to set its public URL",
        field: "Host")

    /// The problem of a path with an empty segment.
    static let emptySegment = Problem(
        .notFound, "not-found", "unknown URL: omit doubled slashes and the slash at the end of the path")

    /// The problem of a body in a transfer encoding that the server does not implement (RFC 9112, section 6.1).
    static let transferEncoding = Problem(
        .notImplemented, "transfer-encoding-unsupported",
        "the body has a transfer encoding other than chunked: send it with Content-Length", field: "Transfer-Encoding",
        headers: [.connection: "close"])
}
