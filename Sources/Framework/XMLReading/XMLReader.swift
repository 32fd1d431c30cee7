import CExpat
public import FoundationEssentials

/// Reads an XML document as a series of events.
///
/// The parser is Expat. Documents are untrusted: a document that declares entities, or refers to one
/// that is not XML's own, is refused, so nothing is expanded and no other file is read. A document
/// type declaration is permitted, and its file is not read.
public struct XMLReader {
    /// How deep elements may be nested.
    public static let depthLimit = 512

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - data: the whole document, in UTF-8, UTF-16, US-ASCII or ISO 8859-1.
    ///   - handler: gets the events; an error that it throws ends the reading.
    /// - Throws: ``XMLFailure`` with the place; or the handler's error, unchanged.
    /// - Complexity: O(bytes).
    public static func read(_ data: Data, _ handler: any XMLHandler) throws {
        guard let parser = XML_ParserCreate(nil) else {
            throw XMLFailure(1, 1, "no memory is left")
        }
        defer { XML_ParserFree(parser) }
        let reading = ParserRun(parser, handler)
        try withExtendedLifetime(reading) {
            reading.connect()
            try data.withUnsafeBytes { try reading.parse($0) }
        }
    }
}

/// Gets the events of a document.
///
/// The arguments are valid during the call only.
public protocol XMLHandler: AnyObject {
    /// An element begins.
    func start(_ name: XMLName, _ attributes: XMLAttributes) throws

    /// An element ends.
    func end(_ name: XMLName) throws

    /// Text between tags, in UTF-8; one text may arrive in several parts.
    func text(_ bytes: UnsafeRawBufferPointer) throws
}

/// Why a document cannot be read, and where.
public struct XMLFailure: Error, CustomStringConvertible, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The byte in the line, from 1.
    public let column: Int
    /// What is wrong, as the rest of a sentence: `an attribute appears twice`.
    public let reason: String

    init(_ line: Int, _ column: Int, _ reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    public var description: String { "line \(line), column \(column): \(reason)" }
}

/// One running parser with its handler.
private final class ParserRun {
    /// The most that is parsed with one call.
    private static let chunk = 1 << 20

    private let parser: XML_Parser
    private let handler: any XMLHandler
    private var depth = 0
    /// What the handler threw, or what this class refused.
    private var failure: (any Error)?

    init(_ parser: XML_Parser, _ handler: any XMLHandler) {
        self.parser = parser
        self.handler = handler
    }

    /// Sets the parser's handlers.
    ///
    /// Safety: they do not hold this; ``XMLReader/read(_:_:)`` does, until nothing is parsed any
    /// more.
    func connect() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let name, let attributes else { return }
                ParserRun.from(data)?.start(XMLName(name), attributes)
            },
            { data, name in
                if let name { ParserRun.from(data)?.end(XMLName(name)) }
            }
        )
        XML_SetCharacterDataHandler(parser) { data, text, count in
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            ParserRun.from(data)?.perform { try $0.text(bytes) }
        }
        XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
            ParserRun.from(data)?.refuse("it declares an entity, which is not permitted")
        }
        XML_SetSkippedEntityHandler(parser) { data, _, _ in
            ParserRun.from(data)?.refuse("it refers to an entity that XML does not define")
        }
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> ParserRun? {
        // Safety: see `connect`.
        data.map { Unmanaged<ParserRun>.fromOpaque($0).takeUnretainedValue() }
    }

    func parse(_ bytes: UnsafeRawBufferPointer) throws {
        var place = 0
        repeat {
            let count = min(ParserRun.chunk, bytes.count - place)
            let start = bytes.baseAddress.map {
                ($0 + place).assumingMemoryBound(to: CChar.self)
            }
            place += count
            let status = XML_Parse(parser, start, Int32(count), place == bytes.count ? 1 : 0)
            if let failure { throw failure }
            if status != XML_STATUS_OK { throw here(reason(XML_GetErrorCode(parser))) }
        } while place < bytes.count
    }

    private func start(_ name: XMLName, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        depth += 1
        if depth > XMLReader.depthLimit {
            refuse("elements are nested more than \(XMLReader.depthLimit) deep")
        } else {
            perform { try $0.start(name, XMLAttributes(attributes, parser)) }
        }
    }

    private func end(_ name: XMLName) {
        depth -= 1
        perform { try $0.end(name) }
    }

    /// Calls the handler, unless it has failed; events go on for a moment after the parser stopped.
    private func perform(_ call: (any XMLHandler) throws -> Void) {
        if failure != nil { return }
        do { try call(handler) } catch { stop(error) }
    }

    private func refuse(_ reason: String) {
        if failure == nil { stop(here(reason)) }
    }

    private func stop(_ error: any Error) {
        failure = error
        XML_StopParser(parser, 0)
    }

    private func here(_ reason: String) -> XMLFailure {
        XMLFailure(
            Int(XML_GetCurrentLineNumber(parser)),
            Int(XML_GetCurrentColumnNumber(parser)) + 1,
            reason
        )
    }

    private func reason(_ code: XML_Error) -> String {
        guard let text = XML_ErrorString(code) else { return "it is not XML" }
        return String(cString: text)
    }
}
