import Base
import Foundation
import HabitModel
import HabitStore

/// The mail with a one-time link (RFC 5322).
///
/// It contains no text that a user has chosen, except the address. The mail program adds the sender.
struct LinkMessage {
    /// The address of the recipient.
    let address: String
    /// The address of the server.
    let base: String
    /// The link that signs the recipient in once.
    let link: String
    /// The time of the mail.
    let sent: Instant

    /// The message in UTF-8 with the line ends of this machine, or `nil` if the address is not one email address.
    ///
    /// An address has no character that could end the line or begin another address.
    var bytes: [UInt8]? {
        guard EmailAddress.isValid(address) else { return nil }
        let minutes = LinkPurpose.mail.lifetime.components.seconds / 60
        let lines = [
            "To: \(address)",
            "Subject: Sign in to Habitat",
            "Date: \(date)",
            "Message-ID: <\(Self.unique)@\(domain)>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit",
            "",
            "Sign in to Habitat with this link. It is valid for \(minutes) minutes and for one sign-in.",
            "",
            link,
            "",
            "If you have not asked for it, ignore this message.",
        ]
        let text = lines.map { line in line + "\n" }.joined()
        return Array(text.utf8)
    }

    /// The time of the message in UTC (RFC 5322, section 3.3).
    private var date: String {
        let day = sent.day(at: .utc)
        let civil = day.civil
        let weekday = DateNames.shortWeekdays[day.weekday - 1]
        let month = DateNames.shortMonths[civil.month - 1]
        // The time after the letter T of RFC 3339.
        let time = OffsetInstant(sent, offset: .utc).description.dropFirst(11).prefix(8)
        return "\(weekday), \(civil.day) \(month) \(civil.year) \(time) +0000"
    }

    /// 128 random bits.
    private static var unique: String {
        let halves = [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)]
        return halves.map { half in String(half, radix: 36) }.joined()
    }

    /// The host of the server, or a reserved name if a message cannot contain it.
    private var domain: String {
        let host = URLComponents(string: base)?.encodedHost ?? ""
        let isName = !host.isEmpty && host.utf8.allSatisfy(Self.isNameByte)
        return isName ? host : "habitat.invalid"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}
