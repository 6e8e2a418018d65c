/// A user account.
public struct UserRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.id, .name, .email, .timeZone, .shareLocation, .privatePlaces]

    /// The ID of the user.
    public var id: String
    /// The display name.
    public var name: FieldInput<String> = .absent
    /// The email address.
    public var email: FieldInput<String> = .absent
    /// The IANA identifier of the user's time zone.
    public var timeZone: FieldInput<String> = .absent
    /// Whether the user allows stored positions.
    public var sharesLocation: FieldInput<Bool> = .absent
    /// The places at which others see no positions of the user's records.
    public var privatePlaces: FieldInput<PrivatePlaces> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String) { self.id = id }
}
