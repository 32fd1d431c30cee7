import Foundation
import ObjectModel
import Testing

/// Property lists that were made to do harm: each is refused at once.
@Suite struct HostileListTests {
    /// A list of these objects, whose references have two bytes; the first one is at the top.
    private func list(_ objects: [[UInt8]]) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets {
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: offset >> $0) }
        }
        bytes += [0, 0, 0, 0, 0, 0, 4, 2]
        for number in [objects.count, 0, table] {
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return Data(bytes)
    }

    private func reference(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

    @Test func listThatContainsItselfIsRefused() {
        let data = list([[0xa1] + reference(0)])
        #expect(throws: PropertyListProblem.self) { try GraphValue(propertyList: data) }
    }

    @Test func veryDeepListIsRefused() {
        let levels = (0..<60_000).map { [0xa1] + reference($0 + 1) }
        let data = list(levels + [[0x10, 5]])
        #expect(throws: PropertyListProblem.self) { try GraphValue(propertyList: data) }
    }

    @Test func listThatRepeatsItselfIsRefused() {
        // Thirty arrays, each of which has the next one twice.
        let levels = (0..<30).map { [0xa2] + reference($0 + 1) + reference($0 + 1) }
        let data = list(levels + [[0x10, 5]])
        #expect(throws: PropertyListProblem.self) { try GraphValue(propertyList: data) }
    }

    @Test func dictionariesThatShareALongKeyAreRefused() {
        let key = [0x5f, 0x12, 0, 0, 0x80, 0] + [UInt8](repeating: 0x61, count: 0x8000)
        let count = 20_000
        let inner = (0..<count).map { _ in [0xd1] + reference(count + 1) + reference(count + 1) }
        let top: [UInt8] = [0xaf, 0x11] + reference(count) + (1...count).flatMap(reference)
        let data = list([top] + inner + [key])
        #expect(throws: PropertyListProblem.self) { try GraphValue(propertyList: data) }
    }

    @Test func objectsAtOnePlaceAreRefused() {
        // The same long text under very many numbers.
        let count = 30_000
        let text = [0x5f, 0x12, 0, 0, 0x80, 0] + [UInt8](repeating: 0x61, count: 0x8000)
        let top: [UInt8] = [0xaf, 0x11] + reference(count) + (1...count).flatMap(reference)
        var bytes = [UInt8](list([top, text] + [[UInt8]](repeating: [], count: count - 1)))
        let table = bytes.count - 32 - (count + 1) * 4
        for number in 2...count {
            for index in 0..<4 { bytes[table + number * 4 + index] = bytes[table + 4 + index] }
        }
        #expect(throws: PropertyListProblem.self) { try GraphValue(propertyList: Data(bytes)) }
    }

    @Test(arguments: [0xaf, 0xdf, 0x5f, 0x6f, 0x4f] as [UInt8])
    func hugeCountIsRefused(_ marker: UInt8) {
        for size in [0x7f, 0x3f, 0xff] as [UInt8] {
            let data = list([[marker, 0x13, size] + [UInt8](repeating: 0xff, count: 7)])
            #expect(throws: PropertyListProblem.self) { try GraphValue(propertyList: data) }
        }
    }

    @Test(arguments: [[0x52, 0x61, 0xb4], [0x61, 0xd8, 0x00], [0x72, 0xc3, 0x28]] as [[UInt8]])
    func textThatIsNotUnicodeIsNotReplaced(_ text: [UInt8]) {
        #expect(throws: PropertyListProblem.self) { try GraphValue(propertyList: list([text])) }
    }

    @Test func listOfUsualNestingIsRead() throws {
        let levels = (0..<500).map { [0xa1] + reference($0 + 1) }
        var value = try GraphValue(propertyList: list(levels + [[0x10, 5]]))
        for _ in 0..<500 { value = try #require(value.elements?.first) }
        #expect(value == .int(5))
    }

    @Test func transformerRefusesWhatItCouldNotRead() throws {
        let transformer = try #require(ValueTransformers.named(nil))
        func nested(_ depth: Int) -> GraphValue {
            (0..<depth).reduce(.int(1)) { value, _ in .array([value]) }
        }
        let value = nested(250)
        #expect(try transformer.value(for: transformer.data(for: value)) == value)
        #expect(throws: ObjectGraphError.self) { try transformer.data(for: nested(300)) }
    }
}
