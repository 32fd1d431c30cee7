import FoundationEssentials
package import ObjectStore

/// A row as it was found in a page.
package struct FoundRow {
    public let key: Int64
    package let values: [SQLValue]
    /// Whether a value ends early because a page of its data is lost.
    var isCut = false
}

/// Reads the cells of table pages.
///
/// It takes nothing for granted: what does not fit is left out.
package struct CellReader {
    let file: PageFile

    package init(file: PageFile) { self.file = file }

    /// What a page is, by its first byte.
    package enum Kind: UInt8 {
        case interior = 5
        case leaf = 13
    }

    package static func kind(_ page: [UInt8], _ number: Int) -> Kind? {
        Kind(rawValue: page[number == 1 ? 100 : 0])
    }

    /// The pages below an interior page.
    package func children(_ page: [UInt8], _ number: Int) -> [Int] {
        let start = number == 1 ? 100 : 0
        var result: [Int] = []
        for place in cells(page, start, headerSize: 12) where place + 4 <= file.usableSize {
            result.append(word(page, place))
        }
        result.append(word(page, start + 8))
        return result
    }

    /// The rows of a leaf page, and how many cells could not be read.
    package func rows(_ page: [UInt8], _ number: Int) -> (rows: [FoundRow], lost: Int) {
        var rows: [FoundRow] = []
        var lost = 0
        for place in cells(page, number == 1 ? 100 : 0, headerSize: 8) {
            if let row = row(page, place) { rows.append(row) } else { lost += 1 }
        }
        return (rows, lost)
    }

    private func cells(_ page: [UInt8], _ start: Int, headerSize: Int) -> [Int] {
        let count = short(page, start + 3)
        let most = (file.usableSize - start - headerSize) / 2
        return (0..<min(count, most)).map { short(page, start + headerSize + 2 * $0) }
            .filter { $0 >= start + headerSize && $0 < file.usableSize }
    }

    private func row(_ page: [UInt8], _ start: Int) -> FoundRow? {
        var place = start
        guard let size = varint(page, &place), let key = varint(page, &place), size >= 1,
            size <= Int64(file.pageCount) * Int64(file.pageSize)
        else { return nil }
        let (payload, isCut) = payload(page, place, Int(size))
        guard let payload else { return nil }
        return record(payload, key, isCut)
    }

    /// The bytes of a record, from the cell and its overflow pages.
    private func payload(_ page: [UInt8], _ place: Int, _ size: Int) -> ([UInt8]?, Bool) {
        let usable = file.usableSize
        let most = usable - 35
        if size <= most {
            return place + size <= usable
                ? (Array(page[place..<place + size]), false) : (nil, false)
        }
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (size - least) % (usable - 4)
        let local = rest <= most ? rest : least
        guard place + local + 4 <= usable, file.permits(pages: size / usable) else {
            return (nil, false)
        }
        var bytes = Array(page[place..<place + local])
        var next = word(page, place + local)
        var seen: Set<Int> = []
        while bytes.count < size, next != 0, seen.insert(next).inserted,
            let page = file.page(next)
        {
            let part = min(size - bytes.count, usable - 4)
            bytes += page[4..<4 + part]
            next = word(page, 0)
        }
        let isCut = bytes.count < size
        if isCut { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
        return (bytes, isCut)
    }

    private func record(_ bytes: [UInt8], _ key: Int64, _ isCut: Bool) -> FoundRow? {
        var place = 0
        guard let headerSize = varint(bytes, &place), headerSize >= 1,
            headerSize <= bytes.count, headerSize <= 65536
        else { return nil }
        var types: [Int64] = []
        while place < headerSize {
            guard let type = varint(bytes, &place), type >= 0, type != 10, type != 11 else {
                return nil
            }
            types.append(type)
        }
        guard place == Int(headerSize) else { return nil }
        var values: [SQLValue] = []
        for type in types {
            guard let size = CellReader.size(of: type), place + size <= bytes.count else {
                return nil
            }
            values.append(CellReader.value(type, bytes[place..<place + size]))
            place += size
        }
        // A record is as long as its header says; anything else was no record.
        guard place == bytes.count else { return nil }
        return FoundRow(key: key, values: values, isCut: isCut)
    }

    private static func size(of type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...(1 << 31): Int((type - 12) / 2)
        default: nil
        }
    }

    private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> SQLValue {
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 1...6:
            let first: Int64 = bytes.first.map { $0 >= 0x80 } == true ? -1 : 0
            return .integer(bytes.reduce(first) { $0 << 8 | Int64($1) })
        case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        default:
            return type % 2 == 0
                ? .blob(Data(bytes)) : .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    // MARK: Numbers

    private func short(_ page: [UInt8], _ place: Int) -> Int {
        place + 2 <= page.count ? Int(page[place]) << 8 | Int(page[place + 1]) : 0
    }

    private func word(_ page: [UInt8], _ place: Int) -> Int {
        guard place >= 0, place + 4 <= page.count else { return 0 }
        return page[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func varint(_ bytes: [UInt8], _ place: inout Int) -> Int64? {
        var result: UInt64 = 0
        for index in 0..<9 {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            if index == 8 { return Int64(bitPattern: result << 8 | UInt64(byte)) }
            result = result << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return Int64(bitPattern: result) }
        }
        return nil
    }
}
