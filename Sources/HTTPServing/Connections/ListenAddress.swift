/// A host and a port to listen on.
public struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// A host name or an IP address.
    ///
    /// An IPv6 address has no brackets.
    public var host: String
    /// 0 chooses a free port.
    public var port: Int

    /// Creates the address of a host and a port.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST:PORT`, with an IPv6 address in brackets.
    ///
    /// Returns `nil` for any other text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else {
            return nil
        }
        let digits = text[text.index(after: colon)...]
        guard let port = Int(digits),
            (0...65_535).contains(port)
        else {
            return nil
        }
        let host = text[..<colon]
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        if isIPv6 {
            let address = host.dropFirst().dropLast()
            self.init(host: String(address), port: port)
            return
        }
        guard !host.isEmpty, !host.contains(":") else {
            return nil
        }
        self.init(host: String(host), port: port)
    }

    /// The address as `HOST:PORT`, with an IPv6 address in brackets.
    public var description: String {
        let isIPv6 = host.contains(":")
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
