import Base
import HTTPServing

/// The slugs of all errors with the keys of their parameters, as the document at `/api` lists them.
enum ErrorList {
    /// The keys of the parameters by slug.
    private static let parameters: [String: [ErrorParameter.Key]] = {
        var all: [String: [ErrorParameter.Key]] = [:]
        for slug in ServerSlug.allCases {
            all[slug.rawValue] = []
        }
        for code in ErrorCode.allCases {
            all[code.slug] = code.parameterKeys
        }
        return all
    }()

    /// The schema of a slug.
    static let slug: JSON = [
        "type": "string",
        "enum": .list(parameters.keys.sorted().map { slug in .text(slug) }),
        "description": "Stable identifier of the error. 'x-errors' has the names of its parameters.",
    ]

    /// An object with the names of the parameters that an error can have, by slug.
    static let document: JSON = {
        let members = parameters.mapValues { keys in
            JSON.list(keys.map { key in .text(key.rawValue) })
        }
        return .object(members)
    }()
}
