import Foundation
import SeededRandom

extension SeededRandom {
    mutating func data(_ count: Int) -> Data {
        var data = Data(capacity: count + 8)
        while data.count < count {
            withUnsafeBytes(of: next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}

extension Data {
    /// The data with one bit changed.
    func flipping(bit: Int) -> Data {
        var copy = self
        copy[copy.startIndex + bit / 8] ^= 1 << (bit % 8)
        return copy
    }
}
