import FoundationEssentials
import ObjectGraph
import ObjectGraphEncryption

/// Notes and passwords behind one context, in two stores.
///
/// The model's configurations divide the entities: notes go into one file, which anybody may read,
/// passwords and their categories into another. A password is an encrypted attribute: whoever has
/// the file, but not the passphrase, cannot read it.
struct StashExample: Example {
    let name = "stash"
    let summary = "notes and encrypted passwords in two stores; invalid objects are not saved"

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let notes = environment.storeDescription(configuration: "Notes")
        let passwords = environment.storeDescription(
            suffix: "-passwords",
            configuration: "Passwords"
        )
        let keys = try StashKeys(of: passwords, passphrase: passphrase(output))
        let container = try environment.open(
            StashModel.make(),
            StashModel.classes,
            [notes, passwords]
        )
        try keys.keep(in: container, passwords)
        let context = container.viewContext
        try CategorySeeds.run(in: context, output)

        if try Note.count(in: context) == 0 { try fill(context) }
        try show(context, output)
        try saveSomethingInvalid(context, output)
        try lock(keys.ring, context, output)
    }

    /// The passphrase of the environment, or that of a demonstration, which anybody can read here.
    private func passphrase(_ output: Output) -> String {
        if let given = ProcessInfo.processInfo.environment["STASH_PASSPHRASE"] { return given }
        output("The passphrase is that of a demonstration; STASH_PASSPHRASE gives another one.")
        return "four words are good"
    }

    private func fill(_ context: ManagedObjectContext) throws {
        let note = context.insert(Note.self)
        note.title = "Shopping"
        note.body = "Bread, apples, a new keyboard"
        let system = context.insert(System.self)
        system.name = "Library"
        system.userID = "reader42"
        system.password = "correct horse"
        system.category = try Category.find(by: \.name, "Private", in: context)
        // One save for both stores: each is written in a separate transaction.
        try context.save()
    }

    private func show(_ context: ManagedObjectContext, _ output: Output) throws {
        output.heading("In the stash")
        let notes = try Note.all(in: context, sortedBy: \.title)
        let systems = try System.all(in: context, sortedBy: \.name)
        output.rows(
            notes.map { ["note", $0.title, $0.body ?? ""] }
                + systems.map {
                    ["password", $0.name, "\($0.userID), \($0.category?.name ?? "no category")"]
                }
        )
        let stores = Set((notes + systems).compactMap(\.objectID.storeIdentifier))
        output("They are in \(counted(stores.count, "store")).")
    }

    private func saveSomethingInvalid(_ context: ManagedObjectContext, _ output: Output) throws {
        output.heading("A user ID has 3 to 10 letters and digits")
        let system = context.insert(System.self)
        system.name = "Bank"
        for userID in ["ab", "ada@bank", "adalovelace1815", "ada1815"] {
            // The check of a form after each key; nothing is saved.
            var value = GraphValue.string(userID)
            do {
                try system.validateValue(&value, forKey: "userID")
                output("  \(userID): fine")
            } catch {
                output("  \(userID): \(ErrorAdvice(error).sentence)")
            }
        }

        output.heading("Saving an invalid one, then cancelling")
        system.userID = "a!"
        do {
            try context.save()
        } catch {
            let advice = ErrorAdvice(error)
            output("Not saved. \(advice.sentence)")
        }
        output("It can still be edited: \(system.name), \(system.userID)")
        context.rollback()
        output("Cancelled; something to save: \(context.hasChanges)")
        try context.save()
        output("\(counted(try System.count(in: context), "password")) in the stash.")
    }

    /// Without the keys everything but the passwords can be read.
    private func lock(_ ring: KeyRing, _ context: ManagedObjectContext, _ output: Output) throws {
        output.heading("Passwords are encrypted")
        guard let system = try System.first(in: context) else { return }
        output("  unlocked: \(system.userID), \(system.password ?? "no password")")
        ring.lock()
        output("  locked: \(system.userID), \(system.password ?? "no password")")
    }
}
