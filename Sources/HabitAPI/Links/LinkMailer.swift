import Base
import HTTPServing
import HabitModel
import HabitStore

/// Mails one-time links, one mail at a time.
///
/// A request only adds an address to a queue. Its response therefore does not depend on whether an account has the
/// address, and neither does its time.
package final class LinkMailer: Sendable {
    /// Maximum number of addresses in the queue.
    private static let queueLimit = 100

    /// An address in the queue, with the request for the audit log.
    private struct Order: Sendable {
        var address: String
        var call: Call
    }

    private let orders: AsyncStream<Order>.Continuation
    /// Maximum number of mails per address: 3 in an hour.
    private let addresses = AttemptLimiter(limit: 3)
    /// Maximum number of requests per client: 20 in an hour.
    private let clients = AttemptLimiter(limit: 20)

    /// Creates a mailer, which runs until it is released.
    ///
    /// - Parameters:
    ///   - command: The program that sends mails.
    ///   - base: The public URL of the server, with which links begin.
    ///   - store: The connections to the store.
    ///   - audit: The audit log.
    ///   - errors: The log of failed commands.
    package init(
        _ command: MailCommand,
        base: String,
        store: StorePool,
        audit: AuditLog,
        errors: ErrorLogger
    ) {
        let queue = AsyncStream.makeStream(
            of: Order.self,
            bufferingPolicy: .bufferingOldest(Self.queueLimit))
        orders = queue.continuation
        let stream = queue.stream
        Task {
            for await order in stream {
                do {
                    try await Self.send(order, command, base: base, store: store, audit: audit)
                } catch {
                    errors.write(error, at: order.call.context.route)
                }
            }
        }
    }

    deinit { orders.finish() }

    /// Mails a link to an address, unless its limit is reached or no account has it.
    ///
    /// - Parameters:
    ///   - address: The address that a person has entered.
    ///   - call: The request.
    /// - Throws: `field-invalid` if the text is not an email address, and 429 `too-many-requests` after too many
    ///   requests of the client.
    func order(_ address: String, for call: Call) throws {
        let address = try EmailAddress.check(address)
        if let seconds = clients.wait(afterAttemptOf: call.client) {
            throw Problem.tooManyLinks(seconds)
        }
        guard addresses.wait(afterAttemptOf: EmailAddress.comparable(address)) == nil else { return }
        orders.yield(Order(address: address, call: call))
    }

    /// A link for the account with an address.
    private struct Link: Sendable {
        var recipient: LinkRecipient
        var created: TokenActions.Replacement
    }

    private static func send(
        _ order: Order,
        _ command: MailCommand,
        base: String,
        store: StorePool,
        audit: AuditLog
    ) async throws {
        let call = order.call
        let link = try await store.write(for: .server) { session -> Link? in
            guard let recipient = try LinkRecipient.find(order.address, in: session) else { return nil }
            let actions = TokenActions(clock: call.clock, in: session)
            let created = try actions.createLink(for: recipient.viewer, .mail)
            return Link(recipient: recipient, created: created)
        }
        guard let link else {
            return audit.record("link.refuse", for: call)
        }
        audit.recordLink(link.created, .mail, of: link.recipient.viewer, for: call)
        let message = LinkMessage(
            address: link.recipient.address,
            base: base,
            link: SignInLinks.address(of: link.created.token, base: base),
            sent: call.clock.now)
        guard let bytes = message.bytes else { return }
        try await command.run(bytes)
    }
}
