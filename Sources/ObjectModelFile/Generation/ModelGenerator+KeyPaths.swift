import ObjectModel

extension ModelGenerator {
    /// The file that names Swift's key paths, so that conditions can be written with them.
    ///
    /// A class hierarchy conforms at its root only, so the root's function knows the key paths of
    /// all classes below it: `\Task.title` is not equal to `\Item.title`.
    func keyPathsText() -> String {
        var text = "\(ModelGenerator.mark); do not edit.\n\n"
        // Only a public conformance shows the protocol to others.
        text += access == .public ? imports(shown: modules) : imports(shown: [], hidden: modules)
        let roots = entitiesWithClass.filter { $0.classParent == nil }
        for root in roots {
            text += "\nextension \(root.swiftName): KeyPathNaming {\n"
            text += "    \(prefix)static func key(for keyPath: AnyKeyPath) -> String? {\n"
            text += "        switch keyPath {\n"
            for entity in entitiesWithClass where entity.isKind(of: root) {
                for property in entity.slots
                where !(property is FetchedPropertyDescription) && property.declared === property {
                    let name = property.name
                    let head = "        case \\\(entity.swiftName).\(SwiftName.escaped(name)):"
                    let fits = head.count + name.count + 3 <= SwiftCode.width
                    text += head + (fits ? " " : "\n            ") + "\"\(name)\"\n"
                }
            }
            text += "        default: nil\n        }\n    }\n}\n"
        }
        return text
    }
}
