/// Whether the lines of a text, one after the other, are inside of fenced code.
struct Fence {
    /// The sign of the fence that is open, and how many of it there are.
    private var open: (sign: UInt8, count: Int)?
    /// Where the line that has opened it begins.
    private(set) var start = 0

    var isOpen: Bool { open != nil }

    /// Takes the next line.
    ///
    /// - Returns: whether it is part of code: a fence, or a line inside.
    mutating func take(_ line: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var place = line.lowerBound
        while place < line.upperBound, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        guard place < line.upperBound else { return isOpen }
        let sign = bytes[place]
        guard sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~") else { return isOpen }
        let first = place
        while place < line.upperBound, bytes[place] == sign { place += 1 }
        let count = place - first
        guard count >= 3 else { return isOpen }
        let rest = bytes[place..<line.upperBound]
        if let open {
            let isEnd =
                sign == open.sign && count >= open.count
                && rest.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            if isEnd { self.open = nil }
            return true
        }
        if sign == UInt8(ascii: "`"), rest.contains(sign) { return false }
        open = (sign, count)
        start = line.lowerBound
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The end of the line at a place, without its line end.
    func lineEnd(from place: Int) -> Int {
        var place = place
        while place < count, self[place] != 0x0A, self[place] != 0x0D { place += 1 }
        return place
    }

    /// Where the line behind an end of a line begins.
    func nextLine(after end: Int) -> Int {
        guard end < count else { return count }
        let isPair = self[end] == 0x0D && end + 1 < count && self[end + 1] == 0x0A
        return end + (isPair ? 2 : 1)
    }
}
