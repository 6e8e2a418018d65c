import Base
import CExpat
import HabitModel

/// A streaming reader of XML (Expat), which needs constant memory for documents of any size.
///
/// Names of elements and attributes are local names: `gx:Track` is `Track`. The reader rejects entity declarations,
/// elements that are nested more than 100 levels deep, and tags and comments above 1 MiB. It loads no other document.
final class XMLReader {
    /// A part of a document.
    enum Event {
        /// The start of an element.
        case start(XMLTag)
        /// The end of an element.
        case end(XMLTag)
        /// Text, which may arrive in several parts.
        case text(UnsafeBufferPointer<UInt8>)
    }

    static let maximumDepth = 100
    /// Maximum size of a tag, a comment or another markup, in bytes.
    ///
    /// Expat parses an incomplete token again for each block, so the time is quadratic in the size of a token.
    static let tokenLimit = 1 << 20
    private static let blockSize = 1 << 16

    private let source: ByteSource
    private let parser: XML_Parser
    fileprivate let state = State()

    /// The state of the parser, to which Expat keeps a pointer.
    fileprivate final class State {
        var body: (Event) throws -> Void = { _ in }
        var error: (any Error)?
        var problem: String?
        var depth = 0
        var parser: XML_Parser?
        /// The number of bytes since the last complete token.
        var pendingBytes = 0

        /// Runs `step` unless the reader has stopped, and stops the parser after an error.
        func run(_ step: () throws -> Void) {
            pendingBytes = 0
            guard error == nil, problem == nil else { return }
            do { try step() } catch {
                self.error = error
                XML_StopParser(parser, XML_Bool(XML_FALSE))
            }
        }

        func stop(_ problem: String) {
            if self.problem == nil { self.problem = problem }
            XML_StopParser(parser, XML_Bool(XML_FALSE))
        }
    }

    /// Creates a reader.
    ///
    /// - Parameter source: The document, without white space before its XML declaration.
    /// - Throws: `internal` if the memory is exhausted.
    init(_ source: ByteSource) throws {
        self.source = source
        guard let parser = XML_ParserCreate(nil) else {
            throw HabitError(.internal, "the XML parser cannot be created: free some memory and try again")
        }
        self.parser = parser
        state.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(state).toOpaque())
        setHandlers()
    }

    deinit { XML_ParserFree(parser) }

    /// The line (from 1) of the event that `body` receives.
    var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    private func setHandlers() {
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let state = State.from(context), let name else { return }
                state.depth += 1
                guard state.depth <= XMLReader.maximumDepth else {
                    return state.stop("its elements are nested more than \(XMLReader.maximumDepth) levels deep")
                }
                state.run { try state.body(.start(XMLTag(name, attributes))) }
            },
            { context, name in
                guard let state = State.from(context), let name else { return }
                state.depth -= 1
                state.run { try state.body(.end(XMLTag(name, nil))) }
            })
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let state = State.from(context), let text, count > 0 else { return }
            text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
                state.run { try state.body(.text(UnsafeBufferPointer(start: bytes, count: Int(count)))) }
            }
        }
        // Expat calls this handler for comments and for all other tokens without a handler.
        XML_SetDefaultHandlerExpand(parser) { context, _, _ in State.from(context)?.pendingBytes = 0 }
        XMLEncodings.register(with: parser)
        XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
            State.from(context)?.stop("it declares an entity")
        }
    }

    /// Reads the document to its end.
    ///
    /// - Parameter body: A closure that receives the parts of the document. Their pointers are valid only during the
    ///   call.
    /// - Throws: `xml-invalid` with the line if the document is damaged, or the error of `body`. An `xml-invalid` error
    ///   of `body` without a file receives the file and the line.
    func forEach(_ body: (Event) throws -> Void) throws {
        try withoutActuallyEscaping(body) { body in
            state.body = body
            defer { state.body = { _ in } }
            while true {
                guard let buffer = XML_GetBuffer(parser, Int32(Self.blockSize)) else { throw failure() }
                var room = MutableRawSpan(_unsafeStart: buffer, byteCount: Self.blockSize)
                let count = try source.read(into: &room)
                state.pendingBytes += count
                let status = XML_ParseBuffer(parser, Int32(count), count == 0 ? 1 : 0)
                if state.pendingBytes > Self.tokenLimit, state.problem == nil {
                    state.problem = "a tag or a comment is larger than \(Self.tokenLimit >> 20) MiB"
                }
                guard status == XML_STATUS_OK, state.problem == nil, state.error == nil else { throw failure() }
                if count == 0 { return }
            }
        }
    }

    private func failure() -> any Error {
        if let error = state.error {
            guard var invalid = error as? HabitError, invalid.code == .xmlInvalid, invalid.file == nil else {
                return error
            }
            invalid.file = source.name
            invalid.line = line
            return invalid
        }
        let reason = state.problem ?? XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        return HabitError(
            .xmlInvalid, "the XML document cannot be read (\(reason ?? "unknown error")): export or download it again",
            file: source.name, line: line)
    }
}

extension XMLReader {
    /// Maximum size of the text of an element that an importer needs, in bytes.
    static let textLimit = 1 << 20

    /// The error of an element whose text exceeds ``textLimit``.
    static let textTooLong = HabitError(
        .xmlInvalid, "the text of an element is larger than \(textLimit >> 20) MiB: shorten it")
}

extension XMLReader.State {
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> XMLReader.State? {
        context.map { Unmanaged<XMLReader.State>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The name and the attributes of an element.
///
/// A tag is valid only in the closure that receives it.
struct XMLTag {
    private let qualifiedName: UnsafePointer<CChar>
    /// The names and values in turn, up to a null pointer, or `nil` for the end of an element.
    private let pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    fileprivate init(_ name: UnsafePointer<CChar>, _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        qualifiedName = name
        self.pairs = pairs
    }

    /// The local name.
    var name: String { String(cString: Self.local(qualifiedName)) }

    /// Whether the local name is `name`.
    ///
    /// Costs no allocation.
    func `is`(_ name: StaticString) -> Bool { Self.isEqual(Self.local(qualifiedName), name) }

    /// Returns the value of the attribute with a local name, or `nil` if it is missing.
    subscript(attribute: StaticString) -> String? {
        guard let pairs else { return nil }
        var index = 0
        while let name = pairs[index], let value = pairs[index + 1] {
            if Self.isEqual(Self.local(name), attribute) { return String(cString: value) }
            index += 2
        }
        return nil
    }

    /// All attributes by local name.
    var attributes: [String: String] {
        var attributes: [String: String] = [:]
        guard let pairs else { return attributes }
        var index = 0
        while let name = pairs[index], let value = pairs[index + 1] {
            attributes[String(cString: Self.local(name))] = String(cString: value)
            index += 2
        }
        return attributes
    }

    private static func isEqual(_ text: UnsafePointer<CChar>, _ name: StaticString) -> Bool {
        let bytes = name.utf8Start
        for index in 0..<name.utf8CodeUnitCount where UInt8(bitPattern: text[index]) != bytes[index] { return false }
        return text[name.utf8CodeUnitCount] == 0
    }

    /// Returns the part of a name after its colon.
    private static func local(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
        var start = name
        var next = name
        while next.pointee != 0 {
            if next.pointee == CChar(UInt8(ascii: ":")) { start = next + 1 }
            next += 1
        }
        return start
    }
}
