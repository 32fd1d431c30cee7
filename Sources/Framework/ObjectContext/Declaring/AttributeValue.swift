import FoundationEssentials
public import ObjectModel

/// A type that an attribute can have.
///
/// The standard library's and Foundation's types conform; an enumeration with a raw value conforms
/// by naming the protocol:
///
///     enum Mood: String, AttributeValue { case calm, merry }
///
///     @Managed var mood: Mood?
///     @Managed var usualMood: Mood = .calm
///
/// So does a `Codable` structure, or an enumeration with associated values, which is kept as JSON:
///
///     struct Address: Codable, AttributeValue { var street: String; var city: String }
///
/// It is decoded at each access. For a structure whose parts are searched, see ``CompositeValue``.
///
/// Another type says which attribute holds it, and converts:
///
///     struct Money: AttributeValue {
///         var cents: Int
///
///         static var attributeType: AttributeType { .integer64 }
///         var value: GraphValue { .int(Int64(cents)) }
///
///         init?(value: GraphValue) {
///             guard let cents = Int(value: value) else { return nil }
///             self.cents = cents
///         }
///     }
///
/// A property that is not optional reads as empty (`""`, 0, `false`, …) while its attribute is
/// `nil`. A type that has no such value needs a default in the declaration, which it reads as then.
public protocol AttributeValue: GraphValueConvertible, ManagedProperty, PropertyElement {
    /// The type of the attribute that holds such values.
    static var attributeType: AttributeType { get }
}

extension AttributeValue {
    /// An attribute of any type: what neither names a type nor has a raw value is transformable.
    public static var attributeType: AttributeType { .transformable }

    public static var propertyType: PropertyType {
        PropertyType(.attribute(attributeType), isOptional: false, .init(Self.self))
    }
    public static var optionalPropertyType: PropertyType {
        PropertyType(.attribute(attributeType), isOptional: true, .init(Self.self))
    }
    public static var arrayPropertyType: PropertyType {
        PropertyType(.attribute(.transformable), isOptional: false, .init([Self].self))
    }
    public static var setPropertyType: PropertyType {
        PropertyType(.attribute(.transformable), isOptional: false, .init(setOf: Self.self))
    }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Self {
        object.requiredValue(slot.index)
    }

    public static func write(
        _ value: consuming Self,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setForValidation(value.value, at: slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Self? {
        object.optionalValue(slot.index)
    }

    public static func writeOptional(
        _ value: consuming Self?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setForValidation(value?.value ?? .null, at: slot.index)
    }

    public static func readArray<Element>(
        _ object: ManagedObject,
        _ slot: PropertySlot,
        of type: Element.Type
    ) -> [Element] {
        let values = object.elements(slot.index, [Self].self) { [Self](value: $0) }
        // Safety: the callers' `Element` is `Self`, which the compiler does not see; the cast retains.
        return unsafeBitCast(values ?? [], to: [Element].self)
    }

    public static func writeArray<Element>(
        _ value: consuming [Element],
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        // Safety: as in `readArray`.
        let values = unsafeBitCast(value, to: [Self].self)
        object.setForValidation(values.value, at: slot.index)
    }

    public static func readSet<Element: Hashable>(
        _ object: ManagedObject,
        _ slot: PropertySlot,
        of type: Element.Type
    ) -> Set<Element> {
        object.elements(slot.index, Set<Element>.self) { value in
            guard case .set(let values) = value else { return nil }
            var result: Set<Element> = []
            for value in values {
                guard let element = Self(value: value) as? Element else { return nil }
                result.insert(element)
            }
            return result
        } ?? []
    }

    public static func writeSet<Element: Hashable>(
        _ value: consuming Set<Element>,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        let values = value.compactMap { ($0 as? Self)?.value }
        object.setForValidation(.set(Set(values)), at: slot.index)
    }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    public static var attributeType: AttributeType { RawValue.attributeType }
}

extension ManagedObject {
    /// The value as it is; a probe has no descriptions of its properties.
    final func plainValue(_ slot: Int) -> GraphValue { isProbe ? read(slot) : value(at: slot) }

    /// The value of an attribute that is not optional.
    ///
    /// A value that the type cannot hold reads as if there were none, as empty or as the attribute's
    /// default, and the context keeps the error.
    @usableFromInline
    final func requiredValue<T: GraphValueConvertible>(_ slot: Int) -> T {
        let value = plainValue(slot)
        if let result = T(value: value) { return result }
        noteUnfit(value, T.self, slot)
        if let result = T.substitute(for: value) { return result }
        let name = entity.slots.indices.contains(slot) ? entity.slots[slot].name : ""
        if let result = T(value: entity.defaults[slot]) { return result }
        if let made = layout.madeDefaults.first(where: { $0.attribute.slot == slot }),
            let result = T(value: made.value(of: made.attribute))
        {
            return result
        }
        Misuse.trap(
            "\(entity.name).\(name) holds \(value.kindWithArticle), which is not a \(T.self)"
        )
    }

    /// The value of an optional attribute; `nil` for one that the type cannot hold, and the context
    /// keeps the error.
    @usableFromInline
    final func optionalValue<T: GraphValueConvertible>(_ slot: Int) -> T? {
        let value = plainValue(slot)
        if value.isNull { return nil }
        if let result = T(value: value) { return result }
        noteUnfit(value, T.self, slot)
        return nil
    }

    /// The elements of an attribute that holds an array or a set: all of them, or `nil` if the type
    /// cannot hold one of them, and the context keeps the error.
    final func elements<Elements>(
        _ slot: Int,
        _ type: Elements.Type,
        _ read: (GraphValue) -> Elements?
    ) -> Elements? {
        let value = plainValue(slot)
        if let result = read(value) { return result }
        noteUnfit(value, type, slot)
        return nil
    }

    private final func noteUnfit(_ value: GraphValue, _ type: Any.Type, _ slot: Int) {
        // Why a sealed value could not be opened is known already.
        guard !value.isNull, value.sealed == nil, entity.slots.indices.contains(slot) else {
            return
        }
        owner?.lastFaultError = unfitError(value, type, slot)
    }

    /// The error about a value that the type of a declared property cannot hold.
    ///
    /// - Parameters:
    ///   - value: what the type cannot hold.
    ///   - type: the Swift type of the property, or of an element of it.
    ///   - slot: of the attribute.
    ///   - path: where in a composite attribute the value is.
    /// - Returns: an error that names the bound, the type or the element.
    final func unfitError(
        _ value: GraphValue,
        _ type: Any.Type,
        _ slot: Int,
        _ path: String = ""
    ) -> ObjectGraphError {
        if let part = (type as? any CompositeValue.Type)?.unfitElement(of: value) {
            return unfitError(part.value, part.type, slot, "\(path).\(part.name)")
        }
        let name = entity.slots[slot].name + path
        let range = (type as? any FixedWidthInteger.Type)?.boundsAsDecimals
        var code = ObjectGraphError.Code.wrongValueKind
        let typeName = "\(type)".withArticle
        var what = "takes \(typeName), and its \(value.kindName) is not one"
        var rule: ValidationRule?
        if let range, value.isNumber,
            case let isLow = value.numericOrder(to: range.least) == .before,
            isLow || value.numericOrder(to: range.greatest) == .after
        {
            let bound = isLow ? range.least : range.greatest
            code = isLow ? .numberTooSmall : .numberTooLarge
            what = "has to be at \(isLow ? "least" : "most") \(bound.numberText), as \(typeName)"
            rule = isLow ? .minimum(bound) : .maximum(bound)
        }
        return ObjectGraphError(
            code,
            "\(entity.name).\(name) \(what).",
            objectIDs: [objectID],
            key: name,
            value: value,
            rule: rule
        )
    }
}

extension FixedWidthInteger {
    fileprivate static var boundsAsDecimals: (least: GraphValue, greatest: GraphValue) {
        func value(_ number: Self) -> GraphValue {
            Int64(exactly: number).map { .int($0) }
                ?? Decimal(string: "\(number)").map { .decimal($0) } ?? .null
        }
        return (value(.min), value(.max))
    }
}

extension GraphValue {
    fileprivate var numberText: String {
        if case .decimal(let number) = self { return "\(number)" }
        return integerValue.map { "\($0)" } ?? kindName
    }
}

extension GraphValueConvertible {
    /// What a type reads as that cannot hold a value: nothing, or what is empty and of the value's
    /// kind.
    static func substitute(for value: GraphValue) -> Self? {
        for candidate in substitutes(of: value) {
            if let result = Self(value: candidate) { return result }
        }
        return nil
    }
}

private func substitutes(of value: GraphValue) -> [GraphValue] {
    if value.isNull { return [.null] + emptyValues }
    return [.null]
        + emptyValues.filter { empty in
            empty.isNumber ? value.isNumber : empty.kindName == value.kindName
        }
}

/// What a type that is not optional may read as while there is no value.
private var emptyValues: [GraphValue] {
    [
        .int(0), .string(""), .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data()),
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .array([]),
        .set([]), .dictionary([:]),
    ]
}
