import FoundationEssentials
import ObjectGraph
import Testing

/// Values that the Swift type of a declared property cannot hold.
@Suite("Values beyond the declared type")
struct DeclaredRangeTests {
    private enum Mood: String, AttributeValue { case calm, merry }
    private enum Level: Int, AttributeValue {
        case low = 1
        case high = 2
    }

    private struct Pixel: CompositeValue, Equatable {
        var gray: UInt8 = 9
        var mood: Mood?

        static let elements: [CompositeElement<Pixel>] = [
            .init("gray", \.gray), .init("mood", \.mood),
        ]
    }

    private final class Typed: ManagedObject {
        @Managed var list: [UInt8]
        @Managed var maybeList: [UInt8]?
        @Managed var moods: Set<Mood>
        @Managed var named: [String: UInt8]?
        @Managed var nested: [[UInt8]]
        @Managed var pixel: Pixel?
        @Managed var tiny: Int8
        @Managed var small: UInt8
        @Managed var maybeSmall: UInt8?
        @Managed var short: Int16
        @Managed var unsignedShort: UInt16
        @Managed var medium: Int32
        @Managed var unsignedMedium: UInt32
        @Managed var long: Int64
        @Managed var number: Int
        @Managed var unsigned: UInt
        @Managed var huge: UInt64
        @Managed var maybeHuge: UInt64?
        @Managed var real: Double
        @Managed var rough: Float
        @Managed var maybeRough: Float?
        @Managed var exact: Decimal
        @Managed var letter: Character?
        @Managed var mood: Mood?
        @Managed var usualMood: Mood = .merry
        @Managed var level: Level?
        @Managed var time: Date
        @Managed var flag: Bool
        @Managed var text: String
        @Managed var bytes: Data
        @Managed var id: UUID
        @Managed var link: URL?
    }

    private let context: ManagedObjectContext
    private let object: Typed

    init() throws {
        context = try PersistentContainer(for: Typed.self, options: .inMemory).viewContext
        object = context.insert(Typed.self)
        for (key, value) in object.entity.attributesByType where !value.isOptional {
            try object.setValue(value.sample, forKey: key)
        }
        (object.list, object.moods, object.nested) = ([1, 2], [.calm], [])
        try context.save()
    }

    /// Sets a value by key, and expects the sentence of the save.
    private func expect(
        _ key: String,
        _ value: GraphValue,
        _ code: ObjectGraphError.Code,
        _ sentence: String,
        line: Int = #line
    ) throws {
        try object.setValue(value, forKey: key)
        let error = failure { try context.save() }
        #expect(error?.code == code, "line \(line): \(String(describing: error))")
        #expect(error?.message == "Typed.\(key) \(sentence).", "line \(line)")
        #expect(error?.key == key && error?.value == value, "line \(line)")
        context.rollback()
    }

    @Test func numbersOutOfTheTypesRangeAreRefusedWithItsBound() throws {
        let (most, least) = (
            ObjectGraphError.Code.numberTooLarge, ObjectGraphError.Code.numberTooSmall
        )
        try expect("tiny", 128, most, "has to be at most 127, as an Int8")
        try expect("tiny", -129, least, "has to be at least -128, as an Int8")
        try expect("small", 300, most, "has to be at most 255, as a UInt8")
        try expect("small", -1, least, "has to be at least 0, as a UInt8")
        try expect("maybeSmall", 300, most, "has to be at most 255, as a UInt8")
        try expect("short", 40_000, most, "has to be at most 32767, as an Integer 16")
        try expect("unsignedShort", 65_536, most, "has to be at most 65535, as a UInt16")
        try expect("unsignedShort", -1, least, "has to be at least 0, as a UInt16")
        try expect(
            "unsignedMedium",
            4_294_967_296,
            most,
            "has to be at most 4294967295, as a UInt32"
        )
        try expect("unsigned", -1, least, "has to be at least 0, as a UInt")
        try expect("huge", -1, least, "has to be at least 0, as a UInt64")
        try expect(
            "rough",
            .double(1e300),
            most,
            "has to be at most 3.4028235e+38, as a Float"
        )
    }

    @Test func errorHasTheBoundAsRule() throws {
        try object.setValue(300, forKey: "small")
        #expect(failure { try context.save() }?.rule == .maximum(255))
        var candidate: GraphValue = -1
        #expect(
            failure { try object.validateValue(&candidate, forKey: "small") }?.rule == .minimum(0)
        )
    }

    @Test func valuesOfNoCaseAndLongerTextsAreRefused() throws {
        let code = ObjectGraphError.Code.wrongValueKind
        try expect("mood", "angry", code, "takes a Mood, and its string is not one")
        try expect("usualMood", "angry", code, "takes a Mood, and its string is not one")
        try expect("level", 3, code, "takes a Level, and its integer is not one")
        try expect("letter", "ab", code, "takes a Character, and its string is not one")
    }

    @Test func numbersAbove64BitsAreKeptUntilTheSaveRefusesThem() throws {
        object.huge = .max
        #expect(object.huge == .max)
        let error = failure { try context.save() }
        #expect(error?.key == "huge", "\(String(describing: error))")
        object.huge = UInt64(Int64.max)
        object.maybeHuge = 7
        object.unsigned = 5
        try context.save()
        context.refreshAllObjects()
        #expect(object.huge == UInt64(Int64.max) && object.maybeHuge == 7 && object.unsigned == 5)
    }

    @Test func valueThatDoesNotFitReadsAsNoneAndNeverAsAnotherNumber() throws {
        let set: [(String, GraphValue)] = [
            ("tiny", 300), ("small", 300), ("maybeSmall", 300), ("unsignedShort", -1),
            ("unsignedMedium", -1), ("huge", -1), ("rough", .double(1e300)),
            ("maybeRough", .double(-1e300)), ("mood", "angry"), ("usualMood", "angry"),
            ("medium", .int(1 << 40)),
        ]
        for (key, value) in set { try object.setValue(value, forKey: key) }
        #expect(object.tiny == 0 && object.small == 0 && object.maybeSmall == nil)
        #expect(object.unsignedShort == 0 && object.unsignedMedium == 0 && object.huge == 0)
        #expect(object.rough == 0 && object.maybeRough == nil && object.medium == 0)
        #expect(object.mood == nil && object.usualMood == .merry)
        let error = context.lastFaultError as? ObjectGraphError
        #expect(error?.key == "usualMood", "\(String(describing: error))")
        let all = failure { try context.save() }
        #expect(all?.code == .multipleErrors && all?.underlying.count == set.count)
    }

    @Test func elementThatDoesNotFitLeavesNoShorterList() throws {
        let wrong: [(String, GraphValue)] = [
            ("list", [1, 300]), ("maybeList", [1, 300]), ("nested", [[1], [300]]),
            ("moods", .set(["calm", "angry"])), ("named", ["a": 1, "b": 300]),
        ]
        for (key, value) in wrong {
            try object.setValue(value, forKey: key)
            _ = (object.list, object.maybeList, object.moods, object.named, object.nested)
            #expect((context.lastFaultError as? ObjectGraphError)?.key == key)
            #expect(
                object.list == (key == "list" ? [] : [1, 2])
                    && object.moods == (key == "moods" ? [] : [.calm])
            )
            #expect(object.maybeList == nil && object.named == nil && object.nested == [])
            let error = failure { try context.save() }
            #expect(error?.code == .wrongValueKind && error?.key == key, "\(error as Any)")
            let type = key == "moods" ? "Set<Mood>" : ""
            #expect(error?.message.hasPrefix("Typed.\(key) takes a") == true, "\(error as Any)")
            #expect(error?.message.contains(type) == true, "\(error as Any)")
            context.rollback()
        }
        #expect(object.list == [1, 2] && object.moods == [.calm])
        try object.setValue([1, 255], forKey: "list")
        #expect(object.list == [1, 255])
        try context.save()
    }

    @Test func elementOfACompositeThatDoesNotFitIsRefused() throws {
        object.pixel = Pixel(gray: 7, mood: .merry)
        try context.save()
        try object.setValue(300, forKeyPath: "pixel.gray")
        #expect(object.pixel == nil)
        let error = failure { try context.save() }
        #expect(error?.code == .numberTooLarge && error?.rule == .maximum(255))
        #expect(error?.message == "Typed.pixel.gray has to be at most 255, as a UInt8.")
        try object.setValue(100_000, forKeyPath: "pixel.gray")
        #expect(failure { try context.save() }?.rule == .maximum(32767))
        context.rollback()
        #expect(object.pixel == Pixel(gray: 7, mood: .merry))
    }

    @Test func listOfAPropertyIsNeverShorterThanItsObjects() throws {
        context.validatesOnSave = false
        try object.setValue("angry", forKey: "mood")
        try context.save()
        let error = failure { _ = try Typed.values(of: \.usualMood, in: context) }
        #expect(error == nil)
        let refused = failure { _ = try Typed.values(of: \.mood, in: context) }
        #expect(refused?.code == .wrongValueKind && refused?.key == "mood")
        #expect(refused?.message.contains("Typed.mood takes a") == true, "\(refused as Any)")
    }

    /// As another program may have stored it.
    @Test func foreignValueThatDoesNotFitIsToldAndDoesNotBlockOtherChanges() throws {
        context.validatesOnSave = false
        try object.setValue(300, forKey: "small")
        try object.setValue("angry", forKey: "mood")
        try context.save()
        context.validatesOnSave = true
        context.refreshAllObjects()
        #expect(object.small == 0)
        #expect(
            (context.lastFaultError as? ObjectGraphError)?.message
                == "Typed.small has to be at most 255, as a UInt8."
        )
        object.text = "other"
        try context.save()
        #expect(try object.value(forKey: "small") == 300)
        #expect(object.mood == nil)
    }

    @Test func notANumberIsRefusedInEveryTypedProperty() throws {
        object.real = .nan
        object.rough = .nan
        object.exact = .nan
        object.time = Date(timeIntervalSinceReferenceDate: .nan)
        let error = try #require(failure { try context.save() })
        let all = error.underlying.compactMap { $0 as? ObjectGraphError }
        #expect(Set(all.compactMap(\.key)) == ["exact", "real", "rough", "time"])
        #expect(Set(all.map(\.code)) == [.validation, .invalidDate])
        #expect(all.allSatisfy { $0.message.contains("NaN is not one") })
        // Also where the program checks the rules itself, because no store keeps it.
        context.validatesOnSave = false
        #expect(failure { try context.save() }?.underlying.count == 4)
        context.rollback()
        let small = BatchInsert(entityName: "Typed", objects: [["small": 300]])
        #expect(failure { try context.execute(small) }?.rule == .maximum(255))
        let batch = BatchInsert(entityName: "Typed", objects: [["real": .double(.nan)]])
        #expect(failure { try context.execute(batch) }?.message.contains("NaN") == true)
    }

    @Test func extremesOfEveryTypeComeBack() throws {
        object.tiny = .min
        object.small = .max
        object.unsignedShort = .max
        object.unsignedMedium = .max
        object.long = .min
        object.real = -.infinity
        object.rough = .greatestFiniteMagnitude
        object.exact = .greatestFiniteMagnitude
        object.time = .distantPast
        object.text = "\u{0}"
        object.bytes = Data([0])
        object.link = URL(string: "b", relativeTo: URL(string: "http://a/"))
        let link = object.link
        try context.save()
        context.refreshAllObjects()
        #expect(object.tiny == .min && object.small == .max && object.unsignedShort == .max)
        #expect(object.unsignedMedium == .max && object.long == .min && object.real == -.infinity)
        #expect(object.rough == .greatestFiniteMagnitude && object.time == .distantPast)
        #expect(object.exact == .greatestFiniteMagnitude && object.text == "\u{0}")
        #expect(object.bytes == Data([0]) && object.link == link)
        #expect(link == URL(string: "http://a/b"))
    }

    @Test func hugeNumberIsRefusedByADecimalAndDoesNotTrap() throws {
        for number in [1e300, -1e200, .infinity, .nan] {
            let error = failure { try object.setValue(.double(number), forKey: "exact") }
            #expect(error?.code == .wrongValueKind)
        }
        #expect(GraphValue.double(1e300).decimalValue == nil)
        let predicate = try FetchPredicate(format: "exact < %@", GraphValue.double(1e300))
        #expect(try predicate.evaluate(with: object))
    }
}

extension EntityDescription {
    fileprivate var attributesByType: [(String, AttributeDescription)] {
        attributes.map { ($0.name, $0) }
    }
}

extension AttributeDescription {
    fileprivate var sample: GraphValue {
        switch type {
        case .string: name == "usualMood" ? "merry" : "x"
        case .boolean: true
        case .date: .date(Date(timeIntervalSinceReferenceDate: 1))
        case .binary: .data(Data([1]))
        case .uuid: .uuid(UUID())
        case .decimal: .decimal(1)
        case .double, .float: .double(1)
        default: 1
        }
    }
}
