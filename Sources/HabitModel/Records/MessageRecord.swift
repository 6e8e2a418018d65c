import Base

/// A message between two users about an item.
public struct MessageRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.id, .item, .sender, .recipient, .sentAt, .text]

    /// The ID of the message, or `nil` to derive it from the other fields.
    public var id: String?
    /// The ID of the item.
    public var item: String
    /// The ID of the sender.
    public var sender: String
    /// The ID of the recipient.
    public var recipient: String
    /// The instant at which the message was sent.
    public var sentAt: FieldInput<OffsetInstant> = .absent
    /// The text of the message.
    ///
    /// Its maximum length is a store setting.
    public var text: String

    /// Creates a record in which all optional fields are omitted.
    public init(item: String, sender: String, recipient: String, text: String) {
        self.item = item
        self.sender = sender
        self.recipient = recipient
        self.text = text
    }
}
