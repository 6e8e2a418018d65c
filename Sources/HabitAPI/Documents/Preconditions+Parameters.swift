import Base
import HTTPServing

extension Preconditions {
    /// The header fields with preconditions of a change (OpenAPI parameter objects).
    static let parameters: [JSON] = [
        [
            "name": "If-Match", "in": "header", "required": false, "schema": ["type": "string"],
            "description":
                "ETag of the version to change, or a list of ETags. If the stored version has another ETag, the server returns 412 and changes nothing.",
        ],
        [
            "name": "If-None-Match", "in": "header", "required": false, "schema": ["type": "string"],
            "description":
                "ETags of versions to keep, or `*` for every version. If the stored version has one of them, the server returns 412 and changes nothing.",
        ],
    ]
}
