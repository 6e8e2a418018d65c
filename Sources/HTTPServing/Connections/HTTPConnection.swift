import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// An HTTP/1.1 connection: Hummingbird's `HTTP1Channel` with limits on connections, memory and time.
struct HTTPConnection: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let connections: OpenConnections
    /// The time after which the server closes an idle connection or a connection with an incomplete request.
    let idleTimeout: Duration

    /// Maximum size of the URL, the header names and the header values of a request together, in bytes.
    private static let headLimit = 32 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = Self.headLimit
            limits.maxHeaderListSize = Self.headLimit
            // Input is read in blocks of at most 16 KiB, and at most two are buffered: a waiting request takes at most
            // 32 KiB.
            let blocks = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 16_384)
            try channel.syncOptions?.setOption(.recvAllocator, value: blocks)
            let pipeline = channel.pipeline.syncOperations
            // The responses are already in order, and HTTPTypes has validated their header fields.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(HostCheck())
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(ConnectionHandler(connections))
            try pipeline.addHandler(ContinueHandler())
            try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(
                    backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2),
                    isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async { await handleHTTP(asyncChannel: value, logger: logger) }
}
