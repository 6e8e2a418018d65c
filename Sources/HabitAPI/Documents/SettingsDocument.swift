import Base
import HTTPServing
import HabitModel
import HabitStore

/// The settings of the server that clients need: limits, ways to sign in, sections and the version.
///
/// Every limit is the constant or the store setting that the server enforces.
struct SettingsDocument {
    /// The limits of texts and photos in the store.
    let settings: Settings
    /// The issuers with the addresses that start a sign-in.
    let issuers: [IssuerSignIn.Offer]
    /// Whether browsers can use passkeys at the address of the server.
    let hasPasskeys: Bool
    /// Whether the server mails one-time links.
    let mailsLinks: Bool
    /// The parts that the server shows.
    let sections: Sections

    /// The names of all parts of a server.
    private static let sectionNames = JSON.list(
        Sections.Section.allCases.map { section in .text(section.rawValue) })

    var json: JSON {
        [
            "version": .text(HabitatVersion.current),
            "sections": .list(sections.shown.map { section in .text(section.rawValue) }),
            "sign_in": signIn,
            "limits": .object(Self.limits.mapValues { limit in .integer(limit) }),
            "text_limits": .object(textLimits),
            "photo_limits": .object(photoLimits),
        ]
    }

    private var signIn: JSON {
        let issuers = issuers.map { issuer -> JSON in
            ["name": .text(issuer.name), "url": .text(issuer.address)]
        }
        return [
            "issuers": .list(issuers),
            "passkeys": .boolean(hasPasskeys),
            "mailed_links": .boolean(mailsLinks),
            "tokens": true,
        ]
    }

    private var textLimits: [String: JSON] {
        TextRule.byName.mapValues { rule in .integer(rule.limit(in: settings)) }
    }

    /// The maximum sizes of photos by collection.
    private var photoLimits: [String: JSON] {
        let limits = RecordKind.withPhotos.map { kind in
            (kind.rawValue, JSON.integer(settings.photoLimit(of: kind)))
        }
        return Dictionary(uniqueKeysWithValues: limits)
    }

    /// The limits that are equal in all stores.
    private static let limits = [
        "uploaded_photo_bytes": PhotoRoutes.uploadLimit,
        "page_features": FeatureParameter.maximumLimit,
        "days": HabitDays.dayLimit,
        "changes": SentChange.countLimit,
        "changes_bytes": SentChange.bodyLimit,
        "clusters": ClusterList.limit,
        "filter_bytes": FilterLimits.length,
        "label_characters": OwnTokens.labelLimit,
    ]

    // MARK: Schema

    /// The schema of the document.
    static let schema: JSON = [
        "type": "object",
        "required": ["version", "sections", "sign_in", "limits", "text_limits", "photo_limits"],
        "properties": [
            "version": ["type": "string"],
            "sections": [
                "type": "array",
                "items": ["type": "string", "enum": sectionNames],
            ],
            "sign_in": signInSchema,
            "limits": integers(limits.keys.sorted(), "Maximum sizes and numbers, in bytes or records."),
            "text_limits": integers(
                TextRule.byName.keys.sorted(),
                "Maximum lengths of texts, in characters as people count them (grapheme clusters)."),
            "photo_limits": integers(
                RecordKind.withPhotos.map(\.rawValue),
                "Maximum sizes of photos by collection, in bytes."),
        ],
    ]

    private static let signInSchema: JSON = [
        "type": "object",
        "required": ["issuers", "passkeys", "mailed_links", "tokens"],
        "properties": [
            "issuers": [
                "type": "array",
                "items": [
                    "type": "object",
                    "required": ["name", "url"],
                    "properties": ["name": ["type": "string"], "url": ["type": "string"]],
                ],
                "description":
                    "OpenID Connect issuers. A browser opens the URL, with the page after the sign-in in the parameter 'to'.",
            ],
            "passkeys": ["type": "boolean"],
            "mailed_links": [
                "type": "boolean",
                "description": "Whether the server mails one-time links (`/sign-in/links`).",
            ],
            "tokens": ["type": "boolean", "description": "Whether a person can sign in with an access token."],
        ],
    ]

    private static func integers(_ names: [String], _ description: String) -> JSON {
        let members = names.map { name -> (String, JSON) in (name, ["type": "integer", "minimum": 1]) }
        return [
            "type": "object",
            "description": .text(description),
            "required": .list(names.map { name in .text(name) }),
            "properties": .object(Dictionary(uniqueKeysWithValues: members)),
        ]
    }
}
