import Base

/// The data that a browser adds to a response of an authenticator (Web Authentication, section 5.8.1).
struct ClientData {
    /// The kind of the response.
    enum Kind: String {
        case registration = "webauthn.create"
        case signIn = "webauthn.get"
    }

    /// The kind of the response as the browser names it.
    let kind: String
    /// The text of the challenge.
    let challenge: String
    /// The origin of the page that has requested the response.
    let origin: String
    /// Whether the page was in a frame of another origin.
    let isCrossOrigin: Bool

    /// Parses the data.
    ///
    /// - Parameter json: The JSON text.
    /// - Throws: ``PasskeyFault/clientData`` if the text is not a JSON object, or if a member is missing, is repeated or
    ///   has another type.
    init(_ json: [UInt8]) throws(PasskeyFault) {
        do {
            let members = try JSONSlice(json[...]).members()
            guard let kind = members["type"], let challenge = members["challenge"], let origin = members["origin"]
            else { throw PasskeyFault.clientData }
            self.kind = try kind.text()
            self.challenge = try challenge.text()
            self.origin = try origin.text()
            isCrossOrigin = try Self.isTrue(members["crossOrigin"])
        } catch {
            throw .clientData
        }
    }

    /// Whether a Boolean member is true; an absent member is not.
    private static func isTrue(_ member: JSONSlice?) throws -> Bool {
        guard let member else { return false }
        switch String(decoding: member.bytes, as: UTF8.self) {
        case "true": return true
        case "false": return false
        default: throw PasskeyFault.clientData
        }
    }

    /// Checks the kind of the response and the origin of the page.
    ///
    /// - Parameters:
    ///   - kind: The expected kind.
    ///   - party: The server.
    /// - Throws: ``PasskeyFault/kind``, ``PasskeyFault/origin`` or ``PasskeyFault/crossOrigin``.
    func check(_ kind: Kind, at party: RelyingParty) throws(PasskeyFault) {
        guard self.kind == kind.rawValue else { throw .kind }
        guard origin == party.origin else { throw .origin }
        guard !isCrossOrigin else { throw .crossOrigin }
    }
}
