import Base
import Glibc

/// An IP address or a range of addresses in CIDR notation, such as `127.0.0.0/8` or `2001:db8::/32` (RFC 4632).
public struct IPNetwork: Sendable, Equatable {
    private let address: IPAddress
    private let prefixLength: Int

    /// The loopback addresses.
    public static let loopback = ["127.0.0.0/8", "::1"].compactMap(IPNetwork.init)

    /// Parses an address or a range, or returns `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(
            separator: "/",
            maxSplits: 1,
            omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else {
            return nil
        }
        self.address = address
        let bits = address.bytes.count * 8
        guard parts.count == 2 else {
            prefixLength = bits
            return
        }
        let digits = parts[1]
        guard digits.utf8.allSatisfy(\.isASCIIDigit),
            let length = Int(digits)
        else {
            return nil
        }
        guard (0...bits).contains(length) else {
            return nil
        }
        prefixLength = length
    }

    /// Whether the range contains an address.
    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else {
            return false
        }
        let wholeBytes = prefixLength / 8
        guard address.bytes.prefix(wholeBytes) == other.bytes.prefix(wholeBytes) else {
            return false
        }
        let remainingBits = prefixLength % 8
        guard remainingBits > 0 else { return true }
        let mask = UInt8.max << (8 - remainingBits)
        let difference = address.bytes[wholeBytes] ^ other.bytes[wholeBytes]
        return difference & mask == 0
    }
}

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Equatable, CustomStringConvertible {
    /// The 4 or 16 bytes of the address.
    ///
    /// An IPv4 address that is mapped to IPv6 has 4 bytes.
    package let bytes: [UInt8]

    /// The first bytes of an IPv4 address that is mapped to IPv6 (RFC 4291, section 2.5.5.2).
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Parses an address, or returns `nil` for any other text.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else {
            return nil
        }
        if let four = Self.parsed(text, family: AF_INET, count: 4) {
            bytes = four
            return
        }
        guard let six = Self.parsed(text, family: AF_INET6, count: 16) else {
            return nil
        }
        let isMapped = six.starts(with: Self.mappedPrefix)
        bytes = isMapped ? Array(six.dropFirst(Self.mappedPrefix.count)) : six
    }

    /// Returns the bytes of an address of a family, or `nil` if the text is no such address.
    private static func parsed(
        _ text: String,
        family: Int32,
        count: Int
    ) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    package var isLoopback: Bool {
        IPNetwork.loopback.contains { network in network.contains(self) }
    }

    /// The address in its usual form, in which equal addresses are equal texts.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        let isWritten = bytes.withUnsafeBytes { bytes in
            inet_ntop(family, bytes.baseAddress, &text, socklen_t(INET6_ADDRSTRLEN)) != nil
        }
        guard isWritten else { return "-" }
        let characters = text.prefix { character in character != 0 }
        return String(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
