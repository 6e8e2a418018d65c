import Base
import Foundation
import HTTPServing
import HabitAPI
import HabitModel
import HabitStore
import Logging

/// The configuration of a server.
public struct ServerOptions: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on, 0 to 65535; 0 chooses a free port.
    public var port = 8080
    /// The URL under which clients reach the server, such as `https://habits.example.org`.
    ///
    /// It is the prefix of links. If it is `nil`, links begin with the host of the request, which must be the listen
    /// address or a loopback name.
    public var publicURL: String?
    /// The parts that the server shows.
    public var sections = Sections.all
    /// The IDs of the collections that clients may read without a token.
    public var publicCollections: Set<String> = []
    /// A bearer token of the operator in addition to the tokens in the store; `nil` disables it.
    public var operatorToken: String?
    /// The key that signs photo links, which all servers of a store share; `nil` uses the key of the store.
    public var photoLinkKey: [UInt8]?
    /// The origins whose pages may call the server (CORS), such as `https://map.example.org`, or `*` for all.
    public var origins: [String] = []
    /// Settings of sign-in with OpenID Connect issuers; `nil` disables it.
    public var signIn: SignInOptions?
    /// The program that mails one-time links; `nil` disables them.
    ///
    /// Requires ``publicURL``, with which the links begin.
    public var mailCommand: MailCommand?
    /// The folders with the operator's custom reports.
    ///
    /// If reports have the same ID, the first folder has priority.
    public var reportFolders: [String] = []
    /// The folder of the nightly runs, which the operator can read; `nil` for none.
    public var nightlyFolder: String?
    /// The URL template of the map's tiles, with `{z}`, `{x}` and `{y}`; `nil` shows only the base map.
    public var tiles: String?
    /// The attribution of the map's tiles.
    public var attribution = ""

    /// The path of a file of vector tiles (MBTiles) with streets; `nil` for only the base map of the program.
    public var baseMap: String?

    /// Number of store connections for reading.
    ///
    /// Streamed responses have the same number of additional connections.
    public var readers = 4
    /// Maximum number of requests that wait for each kind of store connection.
    public var queue = 64
    /// Maximum time for receiving a request body, for waiting for and using the store, and for sending a response.
    public var deadline = Duration.seconds(30)
    /// Maximum time in which a client must accept the next block of a response.
    ///
    /// Then the connection is closed.
    public var patience = Duration.seconds(5)
    /// Sustained request rate per client, in requests per second.
    ///
    /// `nil` disables the limit.
    ///
    /// Bursts may be twice as large. Later requests wait.
    public var requestsPerSecond: Double? = 100
    /// Maximum number of open connections.
    public var connections = 1000
    /// Maximum number of open connections per client address.
    ///
    /// The limit does not apply behind a proxy.
    public var connectionsPerClient = 200
    /// Maximum memory for request bodies that are being received or processed, in bytes.
    public var bodyMemory = 96 << 20
    /// Maximum memory for the request bodies of one user, in bytes.
    public var bodyMemoryPerUser = 32 << 20
    /// Maximum memory for copies of photos with fewer pixels, in bytes.
    public var photoMemory = 32 << 20
    /// The address of the operator's listener, with `/metrics` and `/healthz` and without sign-in; `nil` disables it.
    public var operatorListen: ListenAddress?
    /// Whether the client's address is the last one in X-Forwarded-For, which a reverse proxy sets.
    ///
    /// Requires ``publicURL``, because the proxy decides for which hosts the server responds.
    public var isBehindProxy = false
    /// The addresses of the reverse proxies.
    ///
    /// The server ignores X-Forwarded-For in requests of other clients.
    public var trustedProxies = IPNetwork.loopback
    /// Returns the current time.
    public var clock: @Sendable () -> Clock = { Clock(now: .now) }
    /// Returns the time of a clock that is never set, for the limits on refused credentials.
    var steadyClock: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Whether each request is logged in addition to errors of the server.
    public var logsAccess = true
    /// Writes a line of the log, which is a JSON object; `nil` disables the log.
    public var log: (@Sendable (String) -> Void)?
    /// The lowest level of messages that are logged.
    ///
    /// Requests are logged in addition; see ``logsAccess``.
    public var logLevel = Logger.Level.error
    /// Writes a line of the audit log; `nil` disables the audit log.
    ///
    /// A line is a JSON object and describes a change of an account, a follow or a token.
    public var audit: (@Sendable (String) -> Void)?

    /// Creates the default configuration: loopback interface, port 8080, no public collections and no sign-in.
    public init() {}
}
