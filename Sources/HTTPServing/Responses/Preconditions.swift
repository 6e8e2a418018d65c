import Base
import HTTPTypes

/// The preconditions of a request that changes a resource (RFC 9110, section 13).
///
/// The server checks them after the permissions, because they do not apply to a request that is refused anyway
/// (section 13.2.1). If-Match comes before If-None-Match (section 13.2.2). Resources have no modification time, so
/// If-Modified-Since and If-Unmodified-Since have no effect.
package struct Preconditions: Sendable {
    private let ifMatch: EntityTagList?
    private let ifNoneMatch: EntityTagList?

    /// Reads the preconditions of a request.
    package init(_ headers: HTTPFields) {
        ifMatch = headers[.ifMatch].map(EntityTagList.init)
        ifNoneMatch = headers[.ifNoneMatch].map(EntityTagList.init)
    }

    /// Whether the request has no precondition, so that its resource need not be read.
    package var isEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

    /// Checks the preconditions of a change.
    ///
    /// Only the stored part of a tag counts, because a change of derived properties does not change the resource.
    ///
    /// - Parameters:
    ///   - tag: The tag of the stored resource; `nil` if the resource does not exist.
    ///   - noun: The kind of the resource, for the error.
    /// - Throws: 412 `changed-meanwhile`.
    package func check(stored tag: EntityTag?, of noun: String = "feature") throws {
        if let ifMatch, !ifMatch.containsStored(tag, isWeakAllowed: false) {
            throw Problem(
                .preconditionFailed,
                slug: ServerSlug.changedMeanwhile,
                detail: "the \(noun) has changed since you read it: read it again before you change it",
                field: "If-Match")
        }
        if let ifNoneMatch, ifNoneMatch.containsStored(tag, isWeakAllowed: true) {
            throw Problem(
                .preconditionFailed,
                slug: ServerSlug.changedMeanwhile,
                detail:
                    "the \(noun) exists in a version that the header excludes: read it, and send its tag in If-Match",
                field: "If-None-Match")
        }
    }
}

/// The value of If-Match or If-None-Match: a list of entity tags, or `*` for any tag (RFC 9110, section 8.8.3).
package struct EntityTagList: Sendable {
    private struct Member {
        var value: String
        var isWeak: Bool
    }

    /// Whether the value is `*`.
    private let isAny: Bool
    private let members: [Member]

    /// Parses the value of a header.
    ///
    /// A quoted tag may contain commas. A tag without quotes, which some clients send, ends at the next comma.
    package init(_ text: String) {
        var rest = text.utf8[...]
        var members: [Member] = []
        while let first = rest.first {
            guard !Self.isSeparator(first) else {
                rest.removeFirst()
                continue
            }
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest.removeFirst(2) }
            members.append(Member(value: Self.value(&rest), isWeak: isWeak))
        }
        let bytes = text.utf8.filter { byte in !byte.isSpaceOrTab }
        isAny = bytes.elementsEqual("*".utf8)
        self.members = members
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte.isSpaceOrTab || byte == .comma
    }

    /// Removes the opaque tag at the start of `rest` and returns it without its quotes.
    private static func value(_ rest: inout Substring.UTF8View) -> String {
        let isQuoted = rest.first == .quotationMark
        if isQuoted { rest.removeFirst() }
        let end = rest.firstIndex { byte in
            isQuoted ? byte == .quotationMark : isSeparator(byte)
        }
        let value = rest[..<(end ?? rest.endIndex)]
        rest = rest[value.endIndex...]
        if isQuoted, !rest.isEmpty { rest.removeFirst() }
        return String(Substring(value))
    }

    /// Whether the list contains the tag, compared completely and without regard to weakness.
    package func contains(_ tag: EntityTag) -> Bool {
        isAny || members.contains { member in member.value == tag.value }
    }

    /// Whether the list contains a tag with the same stored part.
    ///
    /// - Parameters:
    ///   - tag: The tag of the stored resource; `nil` if the resource does not exist, which matches nothing.
    ///   - isWeakAllowed: Whether a weak tag can match, as in If-None-Match. In If-Match it never does.
    /// - Returns: Whether one of the tags matches.
    package func containsStored(_ tag: EntityTag?, isWeakAllowed: Bool) -> Bool {
        guard let tag else { return false }
        if isAny { return true }
        let stored = EntityTag.storedPart(of: tag.value)
        return members.contains { member in
            if member.isWeak, !isWeakAllowed { return false }
            return EntityTag.storedPart(of: member.value) == stored
        }
    }
}

extension EntityTag {
    /// Returns the part of a tag that depends only on the stored representation.
    fileprivate static func storedPart(of value: String) -> Substring {
        value.prefix { character in character != "." }
    }
}
