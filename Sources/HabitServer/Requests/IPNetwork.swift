import Base
import Glibc
import HabitModel

/// An IP address or a range of addresses in CIDR notation, such as `127.0.0.0/8` or `2001:db8::/32` (RFC 4632).
public struct IPNetwork: Sendable, Equatable {
    private let address: IPAddress
    private let prefixLength: Int

    /// The loopback addresses.
    public static let loopback = ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }

    /// Parses an address or a range, or returns `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        self.address = address
        let bits = address.bytes.count * 8
        guard parts.count == 2 else {
            prefixLength = bits
            return
        }
        guard let length = Int(parts[1]), (0...bits).contains(length), parts[1].utf8.allSatisfy(Self.isDigit) else {
            return nil
        }
        prefixLength = length
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether the range contains an address.
    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = prefixLength.quotientAndRemainder(dividingBy: 8)
        guard address.bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        guard rest > 0 else { return true }
        let mask = UInt8.max << (8 - UInt8(rest))
        return address.bytes[whole] & mask == other.bytes[whole] & mask
    }
}

/// An IPv4 or IPv6 address.
struct IPAddress: Sendable, Equatable, CustomStringConvertible {
    /// The 4 or 16 bytes of the address.
    ///
    /// An IPv4 address that is mapped to IPv6 has 4 bytes.
    let bytes: [UInt8]

    /// Parses an address, or returns `nil` for any other text.
    init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let all = withUnsafeBytes(of: &six) { Array($0) }
            let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
    }

    var isLoopback: Bool { IPNetwork.loopback.contains { $0.contains(self) } }

    /// The address in its usual form, in which equal addresses are equal texts.
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        let isWritten = bytes.withUnsafeBytes { bytes in
            inet_ntop(family, bytes.baseAddress, &text, socklen_t(INET6_ADDRSTRLEN)) != nil
        }
        guard isWritten else { return "-" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
