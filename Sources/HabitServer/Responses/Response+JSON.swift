import Base
import HTTPTypes
import Hummingbird

extension Response {
    /// Creates a response with a JSON document.
    init(_ json: JSON, status: HTTPResponse.Status = .ok, type: MediaType = .json, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = type.text
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }
}
