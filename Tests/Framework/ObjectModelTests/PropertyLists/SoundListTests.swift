import Foundation
import Testing

@testable import ObjectModel

/// Property lists as Foundation writes them.
@Suite struct SoundListTests {
    private struct List: Encodable {
        let texts: [String]
        let data: Data
    }

    /// References and offsets have one byte in small lists, and more in larger ones: three from 65,536
    /// objects or bytes on.
    @Test(arguments: [(3, 10), (300, 10), (70_000, 10), (3, 300), (3, 70_000), (3, 17_000_000)])
    func aListOfAnySizeIsRead(texts: Int, bytes: Int) throws {
        var data = Data((0..<min(bytes, 65_536)).lazy.map { UInt8(truncatingIfNeeded: $0) })
        while data.count < bytes { data.append(data.prefix(bytes - data.count)) }
        let list = List(texts: (0..<texts).map { "text \($0)" }, data: data)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let other = try PropertyListSerialization.data(
            fromPropertyList: ["texts": list.texts, "data": list.data] as [String: Any],
            format: .binary,
            options: 0
        )
        // The two choose other sizes.
        for data in [try encoder.encode(list), other] {
            guard case .dictionary(let values) = try GraphValue(propertyList: data) else {
                Issue.record("it is another value")
                return
            }
            #expect(values["texts"] == .array(list.texts.map { .string($0) }))
            #expect(values["data"] == .data(list.data))
        }
    }
}
