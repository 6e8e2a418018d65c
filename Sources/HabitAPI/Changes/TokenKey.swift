import Base
import Crypto
import CryptoExtras
import Foundation
import HTTPServing
import HabitModel
import HabitStore

/// The key that encrypts and authenticates the change tokens of one viewer (AES-GCM-SIV, RFC 8452).
///
/// The encryption is deterministic: as long as a viewer sees no change, the viewer's tokens of one day are equal. The
/// viewer and the log are authenticated, so that a token is valid for no other viewer and for no other store.
struct TokenKey: Sendable {
    private let key: SymmetricKey
    /// The bytes that are authenticated with each token.
    private let binding: [UInt8]

    /// The use of the key, whose number differs for each form of the content.
    static let use = "change tokens 2"

    /// Creates the key of a viewer.
    ///
    /// - Parameters:
    ///   - state: The state of any part of the store's log.
    ///   - viewer: The viewer.
    ///   - use: The use of the key.
    init(_ state: LogState, _ viewer: Viewer, use: String = use) {
        key = StoreKey(state.key).derived(for: use)
        var party = viewer.name
        // A new account may have the ID of a deleted account.
        if case .user(let key, _) = viewer {
            party += " \(key)"
        }
        binding = [state.log, party].lengthPrefixedSHA256
    }

    /// The content of a token.
    private struct Content: Codable {
        var day: Int
        var number: Int64?
        var time: Int64?
        var rest: FeedPosition.Rest?
        /// The records that the client copies, or `nil` for all.
        var filter: SyncFilter?
    }

    /// The length of the content is a multiple of this number of bytes, so that it does not reveal the numbers in it.
    ///
    /// The filter, which the client knows, occupies blocks of its own.
    private static let block = 96
    /// The length of the part of a text that authenticates the content.
    private static let tagLength = 16
    /// The maximum length of a text.
    private static let limit = 4096

    // MARK: Texts

    /// Returns the text of a token, which is safe in a URL.
    func text(of token: ChangeToken) -> String {
        let content = Content(
            day: token.day,
            number: token.position.after?.number,
            time: token.position.after?.time,
            rest: token.position.rest,
            filter: token.filter == .everything ? nil : token.filter)
        // Encoding texts and finite numbers cannot fail, and neither can the encryption with a nonce of 12 bytes.
        guard let bytes = try? Self.paddedBytes(of: content),
            let nonce = try? Self.nonce
        else { return "" }
        let box = try? AES.GCM._SIV.seal(
            bytes,
            using: key,
            nonce: nonce,
            authenticating: binding)
        guard let box else { return "" }
        return (box.ciphertext + box.tag).base64URLEncoded
    }

    /// Returns the encoded content with spaces at its end.
    private static func paddedBytes(of content: Content) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var bytes = try encoder.encode(content)
        var unfiltered = content
        unfiltered.filter = nil
        let positionLength = try encoder.encode(unfiltered).count
        let filterLength = bytes.count - positionLength
        // At least one space follows the position.
        let length = blocks(of: positionLength + 1) + blocks(of: filterLength)
        let spaces = repeatElement(UInt8(ascii: " "), count: length - bytes.count)
        bytes.append(contentsOf: spaces)
        return bytes
    }

    /// Returns the length of the blocks that contain some bytes.
    private static func blocks(of count: Int) -> Int {
        (count + block - 1) / block * block
    }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - field: The name of the parameter or header with the text.
    /// - Returns: The token, which may be too old.
    /// - Throws: ``Problem`` with status 400 if the text cannot be a token, and with status 410 if it is the token of
    ///   another viewer, store or earlier version, or was changed.
    func token(_ text: String, field: String) throws -> ChangeToken {
        guard text.utf8.count <= Self.limit,
            let bytes = Data(base64URLEncoded: text),
            Self.isToken(bytes)
        else {
            throw Problem.invalid(
                field,
                "'\(field)' is not a token of this server: send the token of the last response, or omit it")
        }
        guard let opened = open(bytes) else { throw ChangeToken.expired(field) }
        var position = FeedPosition(rest: opened.rest)
        if let number = opened.number, let time = opened.time {
            position.after = LogPosition(number: number, time: time)
        }
        return ChangeToken(day: opened.day, position, filter: opened.filter ?? .everything)
    }

    /// Decrypts a text, or returns `nil` if this key has not encrypted it.
    private func open(_ bytes: Data) -> Content? {
        guard bytes.count > Self.tagLength else { return nil }
        guard let nonce = try? Self.nonce else { return nil }
        let box = try? AES.GCM._SIV.SealedBox(
            nonce: nonce,
            ciphertext: bytes.dropLast(Self.tagLength),
            tag: bytes.suffix(Self.tagLength))
        guard let box else { return nil }
        // Compares in constant time.
        let content = try? AES.GCM._SIV.open(box, using: key, authenticating: binding)
        guard let content else { return nil }
        return try? JSONDecoder().decode(Content.self, from: content)
    }

    /// Whether bytes have the form of a token, or of a token of an earlier version, which was a JSON object.
    private static func isToken(_ bytes: Data) -> Bool {
        let contentLength = bytes.count - tagLength
        let isSealed = contentLength > 0 && contentLength % block == 0
        return isSealed || isOfEarlierVersion(bytes)
    }

    private static func isOfEarlierVersion(_ bytes: Data) -> Bool {
        guard bytes.starts(with: "{".utf8) else { return false }
        let member = Data("\"store\"".utf8)
        return bytes.range(of: member) != nil
    }

    /// The nonce of all tokens, with which equal contents have equal texts.
    private static var nonce: AES.GCM._SIV.Nonce {
        get throws {
            let zeros = [UInt8](repeating: 0, count: 12)
            return try AES.GCM._SIV.Nonce(data: zeros)
        }
    }
}
