import FoundationEssentials
import ObjectModel

enum KeyPathNames {
    /// Along these properties.
    case properties([String])
    /// Somewhere that is not a property of the model; the text names the key path.
    case unknown(String)
}

/// Finds the properties that a key path leads along, by reading it on the probe of its class: each
/// property that is read notes itself, and a to-one relationship answers with the probe of its
/// destination.
///
/// A key path to code of the program, such as a computed property, may read properties too. It is
/// recognised by what comes out of it: a probe holds values that no code makes by chance.
enum KeyPathReading {
    /// What was read of probes, in order.
    ///
    /// Safety: guarded by the lock of the declarations.
    nonisolated(unsafe) private static var notes: [(probe: ManagedObject, index: Int)] = []

    static func note(_ probe: ManagedObject, _ index: Int) { notes.append((probe, index)) }

    /// The one property that code reads of a probe; `nil` if it reads another number.
    static func properties(
        readBy body: (ManagedObject) -> Any,
        _ declaration: ClassDeclaration
    ) -> String? {
        notes = []
        _ = body(declaration.probe)
        let read = notes
        notes = []
        guard read.count == 1, read[0].probe === declaration.probe,
            read[0].index < declaration.properties.count
        else { return nil }
        return declaration.properties[read[0].index].name
    }

    static func read(_ keyPath: AnyKeyPath, from start: ClassDeclaration) -> KeyPathNames {
        notes = []
        let result = (start.probe as Any)[keyPath: keyPath]
        let read = notes
        notes = []
        var failure: KeyPathNames { .unknown(UndeclaredKeyPath.name(of: keyPath)) }
        var current: ClassDeclaration? = start
        var names: [String] = []
        var last: PropertyDeclaration?
        for (probe, index) in read {
            guard let here = current, probe === here.probe, index < here.properties.count else {
                return failure
            }
            let property = here.properties[index]
            names.append(property.name)
            last = property
            if case .toOne(let target) = property.type.kind {
                current = ClassDeclaration.of(target)
            } else {
                current = nil
            }
        }
        if names.isEmpty, result as? ManagedObjectID == start.probe.objectID {
            return .properties(["objectID"])
        }
        guard let last, let result, last.isWhatCame(out: result, Swift.type(of: keyPath).valueType)
        else { return failure }
        return .properties(names)
    }
}

extension PropertyDeclaration {
    /// Whether a value is what a probe answers for the property.
    fileprivate func isWhatCame(out result: Any, _ valueType: Any.Type) -> Bool {
        func isOptional<T>(of type: T.Type) -> Bool { valueType == T?.self }
        guard valueType == swiftType || _openExistential(swiftType, do: isOptional) else {
            return false
        }
        switch type.kind {
        case .attribute, .transformable:
            guard let wanted = probeValue else { return true }
            return type.values?.value(result) == wanted
        case .toOne(let target):
            return (result as? ManagedObject) === ClassDeclaration.of(target).probe
        case .toMany, .fetched: return true
        }
    }

    /// The value that a probe holds, unlike any that code would come up with; `nil` for types of
    /// which the framework knows none.
    var probeValue: GraphValue? {
        guard case .attribute(let type) = type.kind, let values = self.type.values else {
            return nil
        }
        let value: GraphValue? =
            switch type {
            case .integer16: .int(113)
            case .integer32, .integer64: .int(100_613)
            case .double, .float: .double(-1024.0625)
            case .decimal: .decimal(-1024)
            case .string: .string("\u{1}probe\u{2}")
            case .boolean: .bool(true)
            case .date: .date(Date(timeIntervalSinceReferenceDate: -98_765.5))
            case .binary: .data(Data([1, 2, 4, 8]))
            case .uuid: .uuid(UUID(uuid: (1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8)))
            case .uri: URL(string: "probe://probe").map { .url($0) }
            default: nil
            }
        guard let value, values.holds(value) else { return nil }
        return value
    }
}

extension ManagedObject {
    /// Turns an instance without a context into the probe of its class.
    final func becomeProbe(_ properties: [PropertyDeclaration]) {
        for property in properties where property.index < ObjectLayout.propertyLimit {
            slots[property.index] = property.probeValue ?? property.options.sample
        }
    }

    final var isProbe: Bool { state.isProbe }
}
