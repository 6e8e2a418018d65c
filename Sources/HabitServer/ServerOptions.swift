import Foundation
import HabitModel

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
    /// The folder of Leaflet and its plugins.
    public var libraries = "/usr/share/javascript"

    /// How many requests read the store at a time, and how many may wait.
    public var readers = 4
    public var queue = 64
    /// How long a request may take.
    public var deadline = Duration.seconds(30)
    /// How many requests a client may make in a second, over a while; nil: any number.
    public var requestsPerSecond: Double? = 100
    /// Whether the client's address is what a proxy in front has put last into X-Forwarded-For.
    public var isBehindProxy = false
    /// What time it is.
    public var clock: @Sendable () -> Clock = { Clock(now: .now) }
    /// Where access is logged: a line of JSON for each request; nil: nowhere.
    public var log: (@Sendable (String) -> Void)?

    public init() {}
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
