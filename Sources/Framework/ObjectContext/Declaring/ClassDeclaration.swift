import ObjectModel

/// What a class of managed objects declares, read off a probe of it once.
///
/// Lives as long as the program.
final class ClassDeclaration {
    let type: ManagedObject.Type
    /// The class's parent, if that is a class of managed objects too.
    let parent: ClassDeclaration?
    /// The properties by index, those of the ancestors included.
    let properties: [PropertyDeclaration]
    /// The instance that the class was read off; it belongs to no context.
    let probe: ManagedObject
    /// What is wrong with the class itself.
    private(set) var problems: [String] = []
    /// The defaults of attributes that the class inherits, by name; see ``EntityOptions``.
    private(set) var inheritedDefaults: [String: InheritedDefault] = [:]
    /// By hash; a dictionary of key paths costs more to begin with than all of a start's key paths.
    private var names: [Int: [(keyPath: AnyKeyPath, names: KeyPathNames)]] = [:]

    var ownProperties: ArraySlice<PropertyDeclaration> {
        properties.dropLast(parent?.properties.count ?? 0)
    }

    // Safety: the lock guards `known`. It is recursive: reading one class may ask for another.
    private static let lock = CoordinatorLock()
    nonisolated(unsafe) private static var known: [ObjectIdentifier: ClassDeclaration] = [:]

    /// What a class declares.
    ///
    /// - Complexity: a dictionary lookup; the first time O(properties).
    static func of(_ type: ManagedObject.Type) -> ClassDeclaration {
        lock.withLock {
            if let found = known[ObjectIdentifier(type)] { return found }
            let made = ClassDeclaration(type)
            known[ObjectIdentifier(type)] = made
            return made
        }
    }

    private init(_ type: ManagedObject.Type) {
        self.type = type
        let entity = EntityDescription(type.entityName)
        let (probe, properties) = ClassReading.read { type.init(ObjectSeed(probeOf: entity)) }
        self.probe = probe
        self.properties = properties
        let parent = _getSuperclass(type) as? ManagedObject.Type
        self.parent = parent.flatMap { $0 == ManagedObject.self ? nil : ClassDeclaration.of($0) }
        if properties.contains(where: \.name.isEmpty) { nameProperties(Mirror(reflecting: probe)) }
        checkNames()
        for property in properties { property.findDefault() }
        probe.becomeProbe(properties)
        findInheritedDefaults()
    }

    private func findInheritedDefaults() {
        let options = type.entityOptions
        for stated in options.type == type ? options.defaults : [] {
            guard case .properties(let path) = names(of: stated.keyPath), path.count == 1,
                parent?.owner(of: path[0]) != nil
            else {
                problems.append(
                    "\(type): its entityOptions give a default for \(stated.keyPath), which is not an"
                        + " attribute that it inherits. Give an attribute of its own the default where"
                        + " it is declared."
                )
                continue
            }
            inheritedDefaults[path[0]] = InheritedDefault(
                InheritedDefault.values(stated.make).constant,
                make: stated.make
            )
        }
    }

    /// Names the properties after their fields where the declaration gives no name.
    private func nameProperties(_ mirror: Mirror) {
        var current: Mirror? = mirror
        while let mirror = current {
            for (label, value) in mirror.children {
                guard let wrapper = value as? any DeclaredProperty, let label,
                    Int(wrapper.slot) < properties.count
                else { continue }
                let property = properties[Int(wrapper.slot)]
                // The field of a wrapper is the property's name behind an underscore.
                if property.name.isEmpty { property.name = String(label.dropFirst()) }
            }
            current = mirror.superclassMirror
        }
    }

    private func checkNames() {
        var seen: Set<String> = []
        for property in properties {
            if property.name.isEmpty {
                problems.append(
                    "\(type): the program has no names of its fields. Name each property, as in"
                        + " @Managed(\"title\")."
                )
            } else if !seen.insert(property.name).inserted {
                problems.append(
                    "\(type).\(property.name): the property is declared twice. Remove or rename one."
                )
            }
        }
        if properties.count >= ObjectLayout.propertyLimit {
            problems.append(
                "\(type): it declares \(properties.count) properties, and a class can declare"
                    + " \(ObjectLayout.propertyLimit - 1) at most. Use the values of the others by key."
            )
        }
    }

    /// The names of the properties that a key path leads along.
    func names(of keyPath: AnyKeyPath) -> KeyPathNames {
        ClassDeclaration.lock.withLock {
            let hash = keyPath.hashValue
            if let found = names[hash]?.first(where: { $0.keyPath == keyPath }) {
                return found.names
            }
            let made = KeyPathReading.read(keyPath, from: self)
            names[hash, default: []].append((keyPath, made))
            return made
        }
    }

    /// The one property that code reads of an object of the class; `nil` if it reads another number.
    func nameOfProperty(read: (ManagedObject) -> Any) -> String? {
        ClassDeclaration.lock.withLock { KeyPathReading.properties(readBy: read, self) }
    }

    func isKind(of other: ManagedObject.Type) -> Bool {
        var current: ClassDeclaration? = self
        while let here = current {
            if here.type == other { return true }
            current = here.parent
        }
        return other == ManagedObject.self
    }
}

protocol DeclaredProperty {
    /// In a probe the property's index.
    var slot: UInt8 { get }
}
