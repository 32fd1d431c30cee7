import ObjectModel

extension ObjectLayout {
    /// The layout of an entity's objects of a class; `nil` for plain ones.
    convenience init(_ entity: EntityDescription, _ declaration: ClassDeclaration?) {
        let properties = declaration?.properties ?? []
        self.init(
            entity,
            madeDefaults: ObjectLayout.madeDefaults(entity, declaration),
            narrowAttributes: properties.compactMap { property in
                guard
                    let attribute = entity.property(named: property.name) as? AttributeDescription,
                    !attribute.isDerived, let values = property.type.values,
                    values.isNarrower(than: attribute)
                else { return nil }
                return (attribute.slot, values)
            },
            // Safety: the address alone; the list of declarations holds the probe for ever.
            probe: declaration.map {
                UnsafeRawPointer(Unmanaged.passUnretained($0.probe).toOpaque())
            },
            slots: properties.map { property in
                UInt8(clamping: entity.slotByName[property.name] ?? Int(UInt8.max))
            }
        )
    }

    private static func madeDefaults(
        _ entity: EntityDescription,
        _ declaration: ClassDeclaration?
    ) -> [MadeDefault] {
        // Kept in structures: a function that passes through a generic container gains a call.
        var own: [String: InheritedDefault] = [:]
        var ancestors: [ClassDeclaration] = []
        var current = declaration
        while let here = current {
            ancestors.append(here)
            current = here.parent
        }
        for ancestor in ancestors.reversed() {
            for property in ancestor.ownProperties {
                own[property.name] = InheritedDefault(.null, make: property.options.makeDefault)
            }
            own.merge(ancestor.inheritedDefaults.filter { $0.value.make != nil }) { $1 }
        }
        var made = entity.madeDefaults.filter { own[$0.attribute.name]?.make == nil }
        for attribute in entity.attributes {
            if let make = own[attribute.name]?.make { made.append(MadeDefault(attribute, make)) }
        }
        return made
    }
}
