import CExpat
import Glibc

/// The name of an element or attribute, or the value of an attribute: text of the parser, valid
/// during an event.
///
/// Safety: handlers do not keep it.
public struct XMLName: CustomStringConvertible {
    private let start: UnsafePointer<CChar>

    init(_ start: UnsafePointer<CChar>) { self.start = start }

    /// Compares without making a string.
    public static func == (name: XMLName, text: StaticString) -> Bool {
        strcmp(name.start, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
            == 0
    }

    /// For a `switch` over the names of a format.
    public static func ~= (text: StaticString, name: XMLName) -> Bool { name == text }

    /// Whether the bytes are those of a text, without making a string.
    public func isEqual(to bytes: ContiguousArray<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let other = bytes.baseAddress else { return start.pointee == 0 }
            return strncmp(start, other.assumingMemoryBound(to: CChar.self), bytes.count) == 0
                && start[bytes.count] == 0
        }
    }

    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: strlen(start))
    }

    public var string: String { String(cString: start) }

    public var description: String { string }
}

/// The attributes of an element, valid during its event.
///
/// Safety: handlers do not keep them.
public struct XMLAttributes {
    /// Name, value, name, value, …, `nil`.
    private let start: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let parser: XML_Parser

    init(_ start: UnsafeMutablePointer<UnsafePointer<CChar>?>, _ parser: XML_Parser) {
        self.start = start
        self.parser = parser
    }

    /// The line of the document in which the element begins, from 1.
    public var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    /// The value of an attribute; `nil` if the element does not have it.
    ///
    /// - Complexity: O(attributes).
    public subscript(name: StaticString) -> XMLName? {
        var place = start
        while let found = place[0] {
            if XMLName(found) == name { return place[1].map { XMLName($0) } }
            place += 2
        }
        return nil
    }

    /// All attributes in the order of the document.
    public var all: [(name: String, value: String)] {
        var result: [(String, String)] = []
        var place = start
        while let name = place[0], let value = place[1] {
            result.append((String(cString: name), String(cString: value)))
            place += 2
        }
        return result
    }
}
