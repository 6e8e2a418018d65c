import Base
import HTTPTypes
import Hummingbird

extension Response {
    /// Creates a response with a JSON document.
    package init(
        _ json: JSON,
        status: HTTPResponse.Status = .ok,
        type: ContentType = .json,
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = type.text
        let bytes = ByteBuffer(bytes: json.bytes)
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}
