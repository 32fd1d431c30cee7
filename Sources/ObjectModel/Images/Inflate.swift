/// Reads deflate data (RFC 1951) in the frame of zlib (RFC 1950), as other programs write it.
struct Inflate {
    private let input: [UInt8]
    private var place = 0
    private var pending: UInt32 = 0
    private var count = 0
    private var output: [UInt8] = []
    private let limit: Int

    /// Decompresses data.
    ///
    /// - Parameters:
    ///   - input: the compressed data.
    ///   - limit: how many bytes they decompress to. Further bytes are not read, so that a small
    ///     file cannot fill the memory.
    /// - Returns: the decompressed bytes.
    /// - Throws: `ObjectGraphError` if the data are damaged or shorter than `limit`.
    static func zlib(_ input: [UInt8], limit: Int) throws -> [UInt8] {
        guard input.count >= 6, input[0] & 15 == 8, PNGFile.number(input[0..<2]) % 31 == 0,
            input[1] & 32 == 0
        else { throw PNGFile.damaged("its pixels have no zlib header") }
        var inflate = Inflate(input, limit)
        while try inflate.readBlock() {}
        guard inflate.output.count == limit else {
            throw PNGFile.damaged("pixels are missing")
        }
        return inflate.output
    }

    private init(_ input: [UInt8], _ limit: Int) {
        self.input = input
        self.limit = limit
        place = 2
        // Nothing is compressed to less than a thousandth: this bounds the memory that a file can
        // ask for.
        output.reserveCapacity(min(limit, input.count * 1_032))
    }

    /// Reads a block; returns whether another block follows and is needed.
    private mutating func readBlock() throws -> Bool {
        let isLast = try bits(1) == 1
        switch try bits(2) {
        case 0: try readStored()
        case 1: try readCoded(Self.fixedSymbols, Self.fixedDistances)
        case 2:
            let codes = try readCodes()
            try readCoded(codes.symbols, codes.distances)
        default: throw PNGFile.damaged("a block of its pixels has an unknown type")
        }
        return !isLast && output.count < limit
    }

    private mutating func bits(_ wanted: Int) throws -> Int {
        while count < wanted {
            guard place < input.count else { throw PNGFile.damaged("its pixels end too early") }
            pending |= UInt32(input[place]) << UInt32(count)
            place += 1
            count += 8
        }
        let value = pending & (1 << UInt32(wanted) - 1)
        pending >>= UInt32(wanted)
        count -= wanted
        return Int(value)
    }

    private mutating func readStored() throws {
        // A stored block begins at a byte.
        pending >>= UInt32(count % 8)
        count -= count % 8
        let length = try bits(16)
        guard try bits(16) == ~length & 0xFFFF else {
            throw PNGFile.damaged("the two lengths of a block of its pixels differ")
        }
        for _ in 0..<min(length, limit - output.count) { output.append(UInt8(try bits(8))) }
    }

    private mutating func readCoded(_ symbols: PrefixCode, _ distances: PrefixCode) throws {
        while output.count < limit {
            let symbol = try read(symbols)
            if symbol == 256 { return }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            let length = try amount(symbol - 257, Deflate.lengths)
            let distance = try amount(try read(distances), Deflate.distances)
            guard distance <= output.count else {
                throw PNGFile.damaged("its pixels refer to bytes before the start")
            }
            for _ in 0..<min(length, limit - output.count) {
                output.append(output[output.count - distance])
            }
        }
    }

    private mutating func amount(_ code: Int, _ table: [(base: Int, extra: Int)]) throws -> Int {
        guard code < table.count else { throw PNGFile.damaged("its pixels have an unknown code") }
        return table[code].base + (try bits(table[code].extra))
    }

    private mutating func read(_ code: PrefixCode) throws -> Int {
        var first = 0
        var index = 0
        var value = 0
        // Codes of one length are consecutive numbers, in the order of their symbols.
        for length in 1..<code.counts.count {
            value |= try bits(1)
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw PNGFile.damaged("its pixels have an unknown code")
    }

    /// The codes of a block that has its own: their lengths, which are coded themselves.
    private mutating func readCodes() throws -> (symbols: PrefixCode, distances: PrefixCode) {
        let symbolCount = try bits(5) + 257
        let distanceCount = try bits(5) + 1
        let lengthCount = try bits(4) + 4
        var first = [Int](repeating: 0, count: 19)
        for place in Self.lengthOrder.prefix(lengthCount) { first[place] = try bits(3) }
        let code = PrefixCode(first[...])
        var lengths: [Int] = []
        while lengths.count < symbolCount + distanceCount {
            switch try read(code) {
            case 16:
                guard let last = lengths.last else {
                    throw PNGFile.damaged("its codes repeat a code before the first")
                }
                lengths += [Int](repeating: last, count: try bits(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
            case 18: lengths += [Int](repeating: 0, count: try bits(7) + 11)
            case let length: lengths.append(length)
            }
        }
        guard lengths.count == symbolCount + distanceCount else {
            throw PNGFile.damaged("it has too many codes")
        }
        return (PrefixCode(lengths[..<symbolCount]), PrefixCode(lengths[symbolCount...]))
    }

    private static let lengthOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    private static let fixedSymbols = PrefixCode(
        (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }[...]
    )
    private static let fixedDistances = PrefixCode([Int](repeating: 5, count: 30)[...])
}

/// A prefix code, made from the lengths of its codes.
private struct PrefixCode {
    /// How many codes there are of each length.
    var counts = [Int](repeating: 0, count: 16)
    /// The symbols, in the order of their codes.
    var symbols: [Int] = []

    init(_ lengths: ArraySlice<Int>) {
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        for length in 1..<counts.count {
            for (symbol, other) in lengths.enumerated() where other == length {
                symbols.append(symbol)
            }
        }
    }
}
