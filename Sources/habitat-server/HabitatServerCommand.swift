import ArgumentParser
import Base
import CommandLineText
import Foundation
import HabitModel
import HabitServer
import HabitStore
import Logging
import NIOCore
import NIOPosix
import StoreEngine
import StorePostGIS

@main
struct HabitatServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "habitat-server", abstract: "Serve OGC API - Features, reports and a map over HTTP.",
        discussion: """
            The server listens on the loopback interface by default. Use a reverse proxy for TLS. It serves requests \
            until it receives SIGTERM or SIGINT, and finishes requests in progress before it exits.

            A client authenticates with a bearer token from 'habitat token create' or from the file of \
            --operator-token-file, and a browser with a session from the page /sign-in. Without them, a client can \
            read only the collections of --public-collection.

            --oidc-issuer, --oidc-client-id, --oidc-client-secret-file and --oidc-name are repeatable: the first \
            values belong to the first issuer, the second values to the second issuer, and so on.

            Examples:
              habitat-server --store habitat.db
              habitat-server --store habitat.db --public-collection items \\
                --cors https://map.example.org
              habitat-server --public-url https://habits.example.org \\
                --oidc-issuer https://id.example.org --oidc-name Authelia \\
                --oidc-client-id habitat --oidc-client-secret-file secret
            """,
        version: HabitatVersion.current)

    @Option(
        help: ArgumentHelp(
            "Store: a file or postgresql://… (default: HABITAT_STORE, otherwise habitat.db).", valueName: "path"))
    var store: String?
    @Option(
        help: ArgumentHelp(
            "URL of the login that runs custom reports on a PostgreSQL store (default: HABITAT_ANALYST_STORE).",
            valueName: "url"))
    var analystStore: String?
    @Option(help: ArgumentHelp("Address to listen on.", valueName: "address"))
    var host = "127.0.0.1"
    @Option(help: ArgumentHelp("Port to listen on; 0 selects a free port.", valueName: "number"))
    var port = 8080
    @Option(
        help: ArgumentHelp(
            "URL under which clients reach the server, which may have a path, such as https://host/habits (default: HABITAT_PUBLIC_URL, otherwise the host of each request, which must be the listen address or a loopback name).",
            valueName: "url"))
    var publicURL: String?
    @Option(
        help: ArgumentHelp(
            "Sections that the server shows, separated by commas: habits, items and posts (default: all).",
            valueName: "names"))
    var sections: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Collection that clients can read without a token: events, located-events, items, posts or habits; repeatable.",
            valueName: "id"))
    var publicCollection: [String] = []
    @Option(
        help: ArgumentHelp(
            "File with a bearer token of the operator; only its owner may have permissions on it.", valueName: "file"))
    var operatorTokenFile: String?
    @Option(
        help: ArgumentHelp(
            "File with the key that signs photo links, which all servers of a store share; only its owner may have permissions on it (default: the key of the store).",
            valueName: "file"))
    var linkKeyFile: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Origin whose web pages can call the server, or * for all; repeatable.", valueName: "origin")
    )
    var cors: [String] = []
    @OptionGroup var issuers: IssuerOptions
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Persons who get a new account by signing in with an issuer: invited (only the addresses of accounts that you have created), domain:DOMAIN or anyone; repeatable (default: invited).",
            valueName: "who"))
    var signUp: [String] = []
    @Option(
        help: ArgumentHelp(
            "Command that mails one-time links, such as 'msmtp -t': a program and arguments, separated by spaces, which gets a message on its standard input; requires --public-url.",
            valueName: "command"))
    var mailCommand: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Folder of custom reports; repeatable (default: HABITAT_REPORTS, separated by colons).", valueName: "folder"
        ))
    var reports: [String] = []
    @Option(
        help: ArgumentHelp(
            "Folder of nightly runs, which the operator can read at /nights/index.html.", valueName: "folder"))
    var nights: String?
    @Option(
        help: ArgumentHelp(
            "URL template of the map tiles, https://…/{z}/{x}/{y}.png (default: the built-in base map).",
            valueName: "url"))
    var tiles: String?
    @Option(help: ArgumentHelp("Attribution of the map tiles.", valueName: "text"))
    var attribution = ""
    @Option(
        help: ArgumentHelp(
            "File of vector tiles with streets (MBTiles, schema OpenMapTiles or Shortbread) for /basemap and /style.json (default: only the built-in base map).",
            valueName: "file"))
    var baseMap: String?
    @Option(help: ArgumentHelp("Number of store connections for reading.", valueName: "number"))
    var readers = 4
    @Option(help: ArgumentHelp("Maximum number of requests that wait for a store connection.", valueName: "number"))
    var queue = 64
    @Option(help: ArgumentHelp("Maximum duration of a request in seconds.", valueName: "seconds"))
    var deadline = 30
    @Option(
        help: ArgumentHelp(
            "Maximum requests per second and client; further requests are delayed; 0 disables the limit.",
            valueName: "number"))
    var rate = 100.0
    @Option(
        help: ArgumentHelp(
            "Maximum number of open connections; a new connection closes an idle one.", valueName: "number"))
    var connections = 1000
    @Option(
        help: ArgumentHelp(
            "Maximum number of open connections per client address; ignored with --behind-proxy.",
            valueName: "number"))
    var connectionsPerClient = 200
    @Option(
        help: ArgumentHelp(
            "Address of an additional listener with /metrics and /healthz, which requires no token.",
            valueName: "host:port"))
    var operatorListen: String?
    @Option(
        help: ArgumentHelp(
            "File to which the audit log is appended (default: the standard error).", valueName: "file"))
    var auditLog: String?
    @Flag(help: "Read the client address from X-Forwarded-For, which your reverse proxy sets; requires --public-url.")
    var behindProxy = false
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Address of your reverse proxy, or a range such as 10.0.0.0/8; repeatable (default: the loopback addresses).",
            valueName: "address"))
    var trustedProxy: [String] = []
    @Flag(help: "Log only errors to the standard error.")
    var quiet = false
    @Option(
        help: ArgumentHelp(
            "Current date for all users, such as 2026-11-20 or today-7, for tests.", valueName: "date"))
    var today: String?

    static func main() async {
        if let argument = InvalidUTF8.argument {
            let error = HabitError.invalidUTF8(argument, "the argument")
            fail("error[\(error.code.slug)]: \(error.message)", error.code.exitStatus)
        }
        do {
            var command = try parseAsRoot()
            if let server = command as? HabitatServerCommand { try await server.run() } else { try command.run() }
        } catch let error where exitCode(for: error) == .success {
            print(fullMessage(for: error))
        } catch {
            let text = message(for: error).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let code = ErrorCode.usage
            fail(
                "error[\(code.slug)]: \(text.hasSuffix(".") ? String(text.dropLast()) : text): see 'habitat-server --help'",
                code.exitStatus)
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        if !quiet, let warning = PasswordWarning.text(for: CommandLine.arguments.dropFirst()) {
            FileHandle.standardError.write(Data((warning + "\n").utf8))
        }
        // Tasks run on the threads of their sockets: only store access blocks a thread, on separate threads.
        _ = NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
        do {
            let location = StoreLocation(storeName)
            let analyst = try AnalystLogin(
                option: analystStore, environment: ProcessInfo.processInfo.environment["HABITAT_ANALYST_STORE"],
                for: location)
            let server = try HabitatServer(try options()) { writes in
                try location.open(writes ? .write : .read, wait: .seconds(5), analyst: analyst)
            }
            let publicURL = chosenPublicURL
            let publicBase = publicURL.map(PublicURL.withoutSlash)
            let host = host
            let isUnprotected = SessionCookie.isUnprotected(publicURL: publicURL, listenHost: host)
            let open = publicCollection.joined(separator: ", ")
            let operatorHost = try operatorAddress?.host ?? ""
            try await server.serve { port in
                print("Metrics are at http://\(ListenAddress(host: operatorHost, port: port))/metrics")
                fflush(nil)
            } onStart: { port in
                let address = "http://\(host):\(port)"
                // Browsers permit passkeys for this name, and not for an IP address.
                let local = ["127.0.0.1", "::1"].contains(host) ? "http://localhost:\(port)" : address
                let clients = publicBase.map { base in "clients use \(base), " } ?? ""
                print("Habitat listens on \(address)/ – \(clients)the map is at \(publicBase ?? local)/map")
                if !open.isEmpty {
                    print("Public without a token: \(open) of all users, including positions and photos.")
                }
                for redirect in server.redirects {
                    print("Redirect URI for \(redirect.name): \(redirect.address)")
                }
                if isUnprotected {
                    print("Browsers send the cookies of sessions without encryption: use https and --public-url.")
                }
                fflush(nil)
            }
        } catch let error as HabitError {
            Self.fail(error.commandLine, error.code.exitStatus)
        } catch {
            let code = (error as? IOError)?.errnoCode
            let reason = code.map { code in String(cString: strerror(code)) } ?? "\(error)"
            Self.fail(
                "error[\(ErrorCode.storeUnavailable.slug)]: the server cannot listen on \(listenAddresses): \(reason)",
                69)
        }
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
        Foundation.exit(status)
    }

    private var operatorAddress: ListenAddress? {
        get throws {
            guard let operatorListen else { return nil }
            guard let address = ListenAddress(operatorListen) else {
                throw HabitError(
                    .parameterInvalid,
                    "'\(operatorListen)' is not an address to listen on: write HOST:PORT, such as 127.0.0.1:8081",
                    field: "operator-listen")
            }
            return address
        }
    }

    private var listenAddresses: String {
        ["\(host):\(port)", operatorListen].compactMap(\.self).joined(separator: " and ")
    }

    private var storeName: String {
        if let store { return store }
        return ProcessInfo.processInfo.environment["HABITAT_STORE"] ?? "habitat.db"
    }

    private var chosenPublicURL: String? { PublicURL.text(option: publicURL) }

    private func options() throws -> ServerOptions {
        var options = ServerOptions()
        let publicURL = chosenPublicURL
        guard (0...65_535).contains(port) else {
            throw HabitError(.parameterInvalid, "--port must be 0 to 65535, not \(port)", field: "port")
        }
        options.host = host
        options.port = port
        options.publicURL = try publicURL.map(PublicURL.check)
        if let sections { options.sections = try Sections(sections) }
        options.publicCollections = Set(publicCollection)
        options.operatorToken = try operatorTokenFile.map { path in
            try SecretFile(path, option: "operator-token-file").key(noun: "token")
        }
        options.photoLinkKey = try linkKeyFile.map { path in
            let key = try SecretFile(path, option: "link-key-file").key(noun: "key")
            return Array(key.utf8)
        }
        options.origins = try cors.map(Self.origin)
        let signUp = try SignUp(signUp)
        try refuseUnusedOptions()
        options.mailCommand = try mailCommand.map { text in try MailCommand(text) }
        let issuers = try issuers.issuers
        if !issuers.isEmpty {
            options.signIn = SignInOptions(issuers: issuers)
            options.signIn?.signUp = signUp
        }
        options.reportFolders = ReportFolders.folders(of: reports)
        options.nightlyFolder = nights
        if let tiles, !["{z}", "{x}", "{y}"].allSatisfy(tiles.contains) {
            throw HabitError(
                .parameterInvalid, "'\(tiles)' is not a URL template of tiles: write https://…/{z}/{x}/{y}.png",
                field: "tiles")
        }
        options.tiles = tiles
        options.attribution = attribution
        options.baseMap = baseMap
        options.readers = try atLeastOne(readers, "readers")
        options.queue = queue
        options.deadline = .seconds(try atLeastOne(deadline, "deadline"))
        options.requestsPerSecond = rate > 0 ? rate : nil
        options.connections = try atLeastOne(connections, "connections")
        options.connectionsPerClient = try atLeastOne(connectionsPerClient, "connections-per-client")
        options.operatorListen = try operatorAddress
        guard !behindProxy || publicURL != nil else {
            throw HabitError(
                .parameterInvalid,
                "--behind-proxy requires the URL under which clients reach the proxy: add --public-url",
                field: "public-url")
        }
        options.isBehindProxy = behindProxy
        if !trustedProxy.isEmpty { options.trustedProxies = try trustedProxy.map(Self.network) }
        if let today {
            let day = try Parse.day(today, field: "today", today: Clock(now: .now).today(in: .utc))
            options.clock = { Clock(now: .now, today: day) }
        }
        options.logLevel = try .named(in: ProcessInfo.processInfo.environment) ?? .error
        let standardError = LogFile.standardError
        options.logsAccess = !quiet
        options.log = standardError.append
        options.audit = try auditLog.map { try LogFile(appendingTo: $0) }?.append ?? standardError.append
        return options
    }

    /// Checks that no option is given that has no effect without another option.
    ///
    /// - Throws: `parameter-invalid`.
    private func refuseUnusedOptions() throws {
        let unused = [
            (!signUp.isEmpty && issuers.isEmpty, "sign-up", "oidc-issuer"),
            (mailCommand != nil && chosenPublicURL == nil, "mail-command", "public-url"),
            (!trustedProxy.isEmpty && !behindProxy, "trusted-proxy", "behind-proxy"),
            (!attribution.isEmpty && tiles == nil, "attribution", "tiles"),
        ]
        for (isUnused, option, other) in unused where isUnused {
            throw HabitError(
                .parameterInvalid, "--\(option) has no effect without --\(other): add --\(other), or omit --\(option)",
                field: option)
        }
    }

    private func atLeastOne(_ number: Int, _ option: String) throws -> Int {
        guard number >= 1 else {
            throw HabitError(.parameterInvalid, "--\(option) must be at least 1", field: option)
        }
        return number
    }

    private static func network(_ text: String) throws -> IPNetwork {
        guard let network = IPNetwork(text) else {
            throw HabitError(
                .parameterInvalid, "'\(text)' is not an IP address: write an address, or a range such as 10.0.0.0/8",
                field: "trusted-proxy")
        }
        return network
    }

    /// Checks an allowed origin: `*`, or a scheme and a host (RFC 6454, section 6.2).
    ///
    /// - Throws: `parameter-invalid`.
    private static func origin(_ text: String) throws -> String {
        guard text == "*" || text.wholeMatch(of: /https?:\/\/[^\/\s]+/) != nil else {
            throw HabitError(
                .parameterInvalid,
                "'\(text)' is not an origin: write *, or a scheme and a host such as https://map.example.org",
                field: "cors")
        }
        return text
    }
}
