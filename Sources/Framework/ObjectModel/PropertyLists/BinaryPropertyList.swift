package import FoundationEssentials

/// Reads a binary property list, with the UIDs that keyed archives have in it.
///
///     header   8 bytes "bplist00"
///     objects  each a byte of kind and size, and its content
///     offsets  where each object begins
///     trailer  32 bytes: the sizes of an offset and of a reference to an object, the number of
///              objects, the object at the top, where the offsets begin
///
/// Numbers have their highest byte first. Objects are read one at a time, so a list that refers to
/// itself does no harm; and all reading together is limited, so one that repeats itself does not
/// either. Foundation's decoder is for lists of our own: a short list can make it run out of memory
/// or of the stack.
package struct BinaryPropertyList {
    package static let magic = Data("bplist0".utf8)

    /// An object; what it contains is named by number.
    package enum Element {
        case null
        case flag(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since 2001.
        case date(Double)
        case data(Data)
        case text(String)
        case uid(Int)
        case array([Int])
        case dictionary([(key: Int, value: Int)])
    }

    /// The object at the top.
    package let top: Int
    package let count: Int
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let offsets: Int
    /// How many bytes, and elements of arrays and dictionaries, may still be read.
    private var rest: Int

    /// - Throws: ``PropertyListProblem`` if the data are not a binary property list.
    package init(_ data: Data) throws {
        guard data.starts(with: BinaryPropertyList.magic) else {
            throw PropertyListProblem("it is not a binary property list")
        }
        bytes = [UInt8](data)
        guard bytes.count >= 40 else { throw BinaryPropertyList.cutOff }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard let count = BinaryPropertyList.number(bytes, trailer + 8, 8),
            let top = BinaryPropertyList.number(bytes, trailer + 16, 8),
            let offsets = BinaryPropertyList.number(bytes, trailer + 24, 8),
            // A list of 64 KB has offsets of three bytes.
            1...8 ~= offsetSize, 1...8 ~= referenceSize,
            count <= bytes.count, top < count, offsets >= 8, offsets <= trailer,
            count * offsetSize <= trailer - offsets
        else { throw PropertyListProblem("its table of objects is damaged") }
        self.count = count
        self.top = top
        self.offsets = offsets
        // Objects do not overlap in a sound list, so nothing is read often.
        rest = 16 * bytes.count
    }

    private static let cutOff = PropertyListProblem("it was cut off")
    private static let damaged = PropertyListProblem("one of its objects is damaged")

    /// A number below 2⁶² at a place; `nil` if there is none.
    private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int? {
        guard place >= 0, size <= 8, place <= bytes.count - size else { return nil }
        var result: UInt64 = 0
        for byte in bytes[place..<place + size] { result = result << 8 | UInt64(byte) }
        return result < 1 << 62 ? Int(result) : nil
    }

    /// An object by its number.
    ///
    /// - Parameter index: the number of the object.
    /// - Returns: the object.
    /// - Throws: ``PropertyListProblem`` if the object is damaged, or was read too often.
    /// - Complexity: O(size of the object).
    package mutating func element(_ index: Int) throws -> Element {
        guard index >= 0, index < count,
            let place = BinaryPropertyList.number(bytes, offsets + index * offsetSize, offsetSize),
            place >= 8, place < offsets
        else { throw BinaryPropertyList.damaged }
        let marker = bytes[place]
        let low = Int(marker & 0x0f)
        switch marker >> 4 {
        case 0x0:
            switch low {
            case 0x8: return .flag(false)
            case 0x9: return .flag(true)
            default: return .null
            }
        case 0x1: return .integer(try integer(place + 1, 1 << low))
        case 0x2: return .real(try real(place + 1, 1 << low))
        case 0x3: return .date(try real(place + 1, 8))
        case 0x4: return .data(Data(try content(place, low, unit: 1)))
        case 0x5, 0x7:
            let bytes = try content(place, low, unit: 1)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw BinaryPropertyList.damaged
            }
            return .text(text)
        case 0x6: return .text(try wideText(place, low))
        case 0x8:
            guard let number = BinaryPropertyList.number(bytes, place + 1, low + 1) else {
                throw BinaryPropertyList.damaged
            }
            return .uid(number)
        case 0xa, 0xb, 0xc: return .array(try references(place, low, of: 1))
        case 0xd:
            let all = try references(place, low, of: 2)
            let half = all.count / 2
            return .dictionary((0..<half).map { (all[$0], all[half + $0]) })
        default: throw BinaryPropertyList.damaged
        }
    }

    /// Counts what is read, or used once more by whoever keeps it.
    ///
    /// - Throws: ``PropertyListProblem`` if it was too much.
    package mutating func charge(_ amount: Int) throws {
        rest -= amount + 1
        if rest < 0 { throw PropertyListProblem("its objects contain each other") }
    }

    private func integer(_ place: Int, _ size: Int) throws -> Int64 {
        guard size <= 16, place <= offsets - size else { throw BinaryPropertyList.damaged }
        var result: UInt64 = 0
        // Of sixteen bytes the upper half only extends the sign.
        for byte in bytes[place..<place + size] { result = result << 8 | UInt64(byte) }
        return Int64(bitPattern: result)
    }

    private func real(_ place: Int, _ size: Int) throws -> Double {
        let bits = UInt64(bitPattern: try integer(place, size))
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 8: return Double(bitPattern: bits)
        default: throw BinaryPropertyList.damaged
        }
    }

    /// Where an object's content begins, and how many units it has.
    private func extent(_ place: Int, _ low: Int) throws -> (start: Int, count: Int) {
        if low < 15 { return (place + 1, low) }
        guard place + 1 < offsets, bytes[place + 1] >> 4 == 1 else {
            throw BinaryPropertyList.damaged
        }
        let size = 1 << Int(bytes[place + 1] & 0x0f)
        guard size <= 8, let count = BinaryPropertyList.number(bytes, place + 2, size) else {
            throw BinaryPropertyList.damaged
        }
        return (place + 2 + size, count)
    }

    private mutating func content(_ place: Int, _ low: Int, unit: Int) throws -> ArraySlice<UInt8> {
        let (start, count) = try extent(place, low)
        guard start <= offsets, count <= (offsets - start) / unit else {
            throw BinaryPropertyList.damaged
        }
        try charge(count)
        return bytes[start..<start + count * unit]
    }

    private mutating func wideText(_ place: Int, _ low: Int) throws -> String {
        let slice = try content(place, low, unit: 2)
        let units = stride(from: slice.startIndex, to: slice.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw BinaryPropertyList.damaged
        }
        return text
    }

    private mutating func references(_ place: Int, _ low: Int, of groups: Int) throws -> [Int] {
        let slice = try content(place, low, unit: groups * referenceSize)
        let count = slice.count / referenceSize
        var result: [Int] = []
        result.reserveCapacity(count)
        for start in stride(from: slice.startIndex, to: slice.endIndex, by: referenceSize) {
            guard let number = BinaryPropertyList.number(bytes, start, referenceSize),
                number < self.count
            else { throw BinaryPropertyList.damaged }
            result.append(number)
        }
        return result
    }
}
