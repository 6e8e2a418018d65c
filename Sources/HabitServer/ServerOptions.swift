import Foundation
import HabitModel
import Logging

/// How a server is set up.
public struct ServerOptions: Sendable {
    public var host = "127.0.0.1"
    public var port = 8080
    /// The address under which people reach it, such as `https://habits.example.org`; nil: what the request says.
    public var publicURL: String?
    /// Collections that everybody may read.
    public var publicCollections: Set<String> = []
    /// What whoever looks after the store signs in with.
    public var operatorToken: String?
    /// The pages of other origins that may use it: `https://map.example.org`, or `*`.
    public var origins: [String] = []
    /// How people sign in with an identity of somebody else's; nil: they cannot.
    public var signIn: SignInOptions?
    /// The folders of one's own reports.
    public var reportFolders: [String] = []
    /// The words that may not stand in a message.
    public var words = WordList.standard
    /// Where the map's pictures come from, with `{z}`, `{x}` and `{y}`; nil: it has a grid.
    public var tiles: String?
    public var attribution = ""

    /// How many requests read the store at a time, and how many may wait.
    public var readers = 4
    public var queue = 64
    /// How long a request may take.
    public var deadline = Duration.seconds(30)
    /// The time within which a client must take the next block of a response.
    public var patience = Duration.seconds(5)
    /// Sustained request rate per client, in requests per second. Bursts may be twice as large; later requests wait.
    /// `nil` disables the limit.
    public var requestsPerSecond: Double? = 100
    /// Maximum number of open connections, in total and per client address. The latter does not apply behind a proxy.
    public var connections = 1000
    public var connectionsPerClient = 200
    /// Maximum memory for request bodies that are being received or processed, in bytes, in total and per user.
    public var bodyMemory = 96 << 20
    public var bodyMemoryPerUser = 32 << 20
    /// The address of the operator's listener, with `/metrics` and `/healthz` and without sign-in; `nil` disables it.
    public var operatorListen: ListenAddress?
    /// Whether the client's address is what a proxy in front has put last into X-Forwarded-For.
    public var isBehindProxy = false
    /// What time it is.
    public var clock: @Sendable () -> Clock = { Clock(now: .now) }
    /// Whether each request is logged, and not only errors of the server.
    public var logsAccess = true
    /// Writes a line of the log, which is a JSON object; `nil` disables the log.
    public var log: (@Sendable (String) -> Void)?
    /// The lowest level of messages that are logged. Requests are logged in addition; see ``logsAccess``.
    public var logLevel = Logger.Level.error
    /// Writes a line of the audit log, a JSON object for each change of an account, a follow or a token; `nil` disables it.
    public var audit: (@Sendable (String) -> Void)?

    public init() {}
}

/// A host and a port to listen on.
public struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    public var host: String
    /// 0 chooses a free port.
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, with an IPv6 address in brackets; `nil` for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let host = text[..<colon]
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        guard isIPv6 || !host.contains(":"), !host.isEmpty else { return nil }
        self.init(host: isIPv6 ? String(host.dropFirst().dropLast()) : String(host), port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Whose identities are taken.
public struct SignInOptions: Sendable {
    /// Where the issuer's keys are: an https address, or a file.
    public var keys = "https://www.googleapis.com/oauth2/v3/certs"
    /// How long keys are used before they are fetched anew, and how soon that may be where one is not among them.
    public var keysLifetime = Duration.seconds(3600)
    public var keysPause = Duration.seconds(60)
    /// How the issuer names itself.
    public var issuers: Set<String> = ["https://accounts.google.com", "accounts.google.com"]
    /// The clients for which a token may have been made: one's own.
    public var clients: [String]

    public init(clients: [String]) { self.clients = clients }
}
