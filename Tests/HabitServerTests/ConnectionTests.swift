import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests of connection limits and of when the server closes a connection.
@Suite(.engineIndependent) struct ConnectionTests {
    // MARK: OpenConnections

    @Test func connectionIdleLongestIsClosedWhenLimitIsReached() throws {
        let connections = OpenConnections(limit: 3, clientLimit: nil)
        let channels = (0..<4).map { _ in EmbeddedChannel() }
        for channel in channels.prefix(3) {
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
            #expect(connections.open(channel, client: "a"))
        }
        // The first connection is busy. The second one was used last.
        connections.setIdle(false, channels[0])
        connections.setIdle(false, channels[1])
        connections.setIdle(true, channels[1])
        #expect(connections.open(channels[3], client: "b"))
        #expect(channels.prefix(3).map(\.isActive) == [true, true, false])
        #expect(connections.count == 3)
    }

    @Test func connectionIsRefusedWhenAllAreBusy() {
        let connections = OpenConnections(limit: 2, clientLimit: nil)
        let channels = (0..<3).map { _ in EmbeddedChannel() }
        for channel in channels.prefix(2) {
            #expect(connections.open(channel, client: "a"))
            connections.setIdle(false, channel)
        }
        #expect(!connections.open(channels[2], client: "b"))
        connections.close(channels[0])
        #expect(connections.open(channels[2], client: "b"))
        connections.close(channels[0])
        #expect(connections.count == 2, "a connection closes once")
    }

    @Test func clientAtItsLimitReplacesOnlyItsOwnConnections() throws {
        let connections = OpenConnections(limit: 10, clientLimit: 2)
        let channels = (0..<5).map { _ in EmbeddedChannel() }
        for channel in channels { try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait() }
        #expect(connections.open(channels[0], client: "a"))
        for channel in channels[1...3] { #expect(connections.open(channel, client: "b")) }
        #expect(channels.map(\.isActive) == [true, false, true, true, true])
        #expect(connections.count == 3)
        connections.setIdle(false, channels[2])
        connections.setIdle(false, channels[3])
        #expect(!connections.open(channels[4], client: "b"))
        #expect(connections.open(channels[4], client: "a"))
    }

    // MARK: ConnectionHandler

    private static let request = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/")

    private func connection(
        _ connections: OpenConnections = OpenConnections(limit: 10, clientLimit: nil)
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: [HalfClosure(), ConnectionHandler(connections)])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
        return channel
    }

    /// Keeps a channel open after its output is closed, as a socket does.
    ///
    /// An embedded channel would close.
    private final class HalfClosure: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { promise?.succeed(()) } else { context.close(mode: mode, promise: promise) }
        }
    }

    /// Writes a response and returns its head as sent.
    private func respond(_ status: HTTPResponse.Status, on channel: EmbeddedChannel) throws -> HTTPResponse {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: status)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            throw ChannelError.eof
        }
        while try channel.readOutbound(as: HTTPResponsePart.self) != nil {}
        return head
    }

    @Test func connectionStaysOpenAfterCompleteRequest() throws {
        let channel = try connection()
        for _ in 0..<2 {
            try channel.writeInbound(HTTPRequestPart.head(Self.request))
            try channel.writeInbound(HTTPRequestPart.end(nil))
            #expect(try respond(.ok, on: channel).headerFields[.connection] == nil)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        #expect(channel.isActive)
    }

    @Test func connectionClosesAfterResponseToIncompleteRequest() throws {
        let channel = try connection()
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        guard case .head(let informational)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no response")
            return
        }
        #expect(informational.headerFields[.connection] == nil, "not a final response")
        #expect(try respond(.unauthorized, on: channel).headerFields[.connection] == "close")
        while try channel.readInbound(as: HTTPRequestPart.self) != nil {}
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 1000)))
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil, "the remaining body is discarded")
        #expect(channel.isActive, "the client has time to read the response")
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func pipelinedResponsesBeforeIncompleteRequestAreSent() throws {
        let channel = try connection()
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        #expect(try respond(.ok, on: channel).headerFields[.connection] == nil)
        #expect(try respond(.notFound, on: channel).headerFields[.connection] == "close")
    }

    @Test func discardedBytesAreLimited() throws {
        let channel = try connection()
        try channel.writeInbound(HTTPRequestPart.head(Self.request))
        _ = try respond(.notFound, on: channel)
        for block in 0..<17 {
            #expect(channel.isActive, "\(block)")
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 1 << 20)))
        }
        #expect(!channel.isActive)
    }

    @Test func refusedConnectionGetsResponse() throws {
        let connections = OpenConnections(limit: 1, clientLimit: nil)
        let first = try connection(connections)
        try first.writeInbound(HTTPRequestPart.head(Self.request))
        let second = try connection(connections)
        guard case .head(let head)? = try second.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no response")
            return
        }
        #expect(head.status == .serviceUnavailable)
        #expect(head.headerFields[.retryAfter] == "1")
        #expect(head.headerFields[.cacheControl] == "no-store")
        #expect(head.headerFields[.connection] == "close")
        #expect(!second.isActive)
        #expect(connections.count == 1)
    }

    // MARK: HostCheck

    private static let hosts: [([String], HTTPVersion, Bool)] = [
        (["x"], .http1_1, true),
        ([], .http1_1, false),
        (["x", "x"], .http1_1, false),
        (["x, y"], .http1_1, false),
        (["x/y"], .http1_1, false),
        (["[::1]:80"], .http1_1, true),
        ([], .http1_0, true),
        (["x", "y"], .http1_0, false),
    ]

    @Test(arguments: hosts)
    func requestNeedsOneHost(hosts: [String], version: HTTPVersion, isValid: Bool) throws {
        let channel = EmbeddedChannel(handler: HostCheck())
        let head = HTTPRequestHead(
            version: version, method: .GET, uri: "/", headers: HTTPHeaders(hosts.map { ("Host", $0) }))
        if isValid {
            try channel.writeInbound(HTTPServerRequestPart.head(head))
        } else {
            #expect(throws: HTTPParserError.self) { try channel.writeInbound(HTTPServerRequestPart.head(head)) }
        }
        #expect(try (channel.readInbound(as: HTTPServerRequestPart.self) != nil) == isValid)
    }

    // MARK: ListenAddress

    @Test func listenAddressIsHostAndPort() {
        #expect(ListenAddress("127.0.0.1:9090") == ListenAddress(host: "127.0.0.1", port: 9090))
        #expect(ListenAddress("[::1]:0") == ListenAddress(host: "::1", port: 0))
        for text in ["9090", ":9090", "::1:9090", "localhost", "localhost:x", "localhost:65536", "localhost:-1", ""] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
    }
}
