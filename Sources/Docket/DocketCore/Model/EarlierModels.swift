import ObjectGraph

/// The models that libraries of older versions of Docket have, each by what has changed since.
///
/// The files of every version are in Resources/Docket.xcdatamodeld.
enum EarlierModels {
    /// From the oldest one on.
    static func all() -> [ManagedObjectModel] { [first(), second(), third()] }

    static func third() -> ManagedObjectModel {
        let model = DocketModel.make()
        for name in ["SyncBase", "SyncConflict", "SyncState"] { model.removeEntity(named: name) }
        model.versionIdentifiers = ["2"]
        change("List", of: model, remove: ["uuid"])?.uniquenessConstraints = []
        return model
    }

    static func second() -> ManagedObjectModel {
        let model = third()
        model.versionIdentifiers = ["2"]
        change(
            "SavedSearch",
            of: model,
            remove: ["builtIn", "hidden", "query"],
            add: [AttributeDescription("predicate", .string, optional: false, default: .string(""))]
        )
        return model
    }

    static func first() -> ManagedObjectModel {
        let model = second()
        model.versionIdentifiers = ["1"]
        change("Item", of: model, remove: ["lastReviewed"])
        change("List", of: model, remove: ["lastReviewed"])
        change("Note", of: model, remove: ["sealedBody"])
        let task = change(
            "Task",
            of: model,
            remove: ["anchor", "nextReminder", "remindTimes", "rule", "series"],
            add: [
                AttributeDescription("recurrence", .string),
                AttributeDescription("reminder", .date),
            ]
        )
        task?.indexes.removeAll { $0.name != "byDue" }
        let category = change("Category", of: model, remove: ["name", "seed"], add: [name([])])
        category?.uniquenessConstraints = [["name"]]
        let userID = AttributeDescription("userID", .string)
        userID.rules = [.minimumLength(3), .maximumLength(10), .pattern("[A-Za-z0-9]+")]
        change(
            "Credential",
            of: model,
            remove: ["address", "created", "name", "notes", "password", "userID"],
            add: [
                AttributeDescription("address", .string), name([.minimumLength(1)]), userID,
                sealed("notes"), sealed("password"),
            ]
        )
        return model
    }

    private static func name(_ rules: [ValidationRule]) -> AttributeDescription {
        let name = AttributeDescription("name", .string, optional: false, default: .string(""))
        name.rules = rules
        return name
    }

    private static func sealed(_ name: String) -> AttributeDescription {
        let attribute = AttributeDescription(name, .transformable)
        attribute.valueTransformerName = "EncryptedText"
        attribute.valueClassName = "String"
        return attribute
    }

    @discardableResult
    private static func change(
        _ name: String,
        of model: ManagedObjectModel,
        remove former: [String],
        add properties: [PropertyDescription] = []
    ) -> EntityDescription? {
        let entity = model.entities.first { $0.name == name }
        for name in former { entity?.removeProperty(named: name) }
        for property in properties { entity?.add(property) }
        return entity
    }
}
