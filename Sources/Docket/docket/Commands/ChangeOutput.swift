import ArgumentParser
import DocketCore
import DocketFormats
import ObjectGraph

/// Whether a command changes items, and how it says what it has changed.
struct ChangeOutput: ParsableArguments {
    @Flag(help: "Change nothing; say what would be changed.") var dryRun = false
    @Flag(help: "Print nothing but errors and warnings.") var quiet = false
    @Flag(help: "Print the items as JSON, as they are then.") var json = false

    func validate() throws {
        if quiet, json || dryRun {
            throw ValidationError("--quiet prints nothing; leave out --json and --dry-run.")
        }
    }

    /// Carries a verb out, or tries it, and says what it has done.
    ///
    /// - Parameters:
    ///   - library: the library of the items.
    ///   - items: what it is done to.
    ///   - named: those of them that the user named; all by default.
    ///   - state: the state in which they need no change.
    ///   - isDeleting: whether the items are gone afterwards, so that JSON has them as they were.
    ///   - rest: the end of the message about a step, made after the verb.
    ///   - verb: changes the items.
    /// - Throws: the error of the verb or of the output.
    func perform(
        _ library: Library,
        on items: [Item],
        named: [Item]? = nil,
        already state: String,
        isDeleting: Bool = false,
        rest: @autoclosure () throws -> String = "",
        _ verb: () throws -> SavedStep?
    ) throws {
        // After a change in parts the items are not valid any more.
        let ids = items.map(\.objectID)
        var records = json ? items.map(library.shownRecord) : []
        var end = ""
        func look() throws {
            end = try rest()
            let known = json && !isDeleting ? try library.items(withIDs: ids) : [:]
            for index in records.indices {
                if let item = known[ids[index]] { records[index] = library.shownRecord(of: item) }
            }
        }
        let step: SavedStep?
        if dryRun {
            step = try withoutActuallyEscaping(look) { try library.trying(verb, seeing: $0) }
        } else {
            step = try verb()
            try look()
        }
        if quiet { return }
        if json {
            var output = try ItemOutput(library, json: true)
            try output.print(step == nil ? [] : records)
            return try output.finish()
        }
        if dryRun, let step {
            let name = Console.shown(step.name)
            return try Console.print("Dry run, nothing is changed: \(name)\(end)")
        }
        try Confirmation.print(step, named ?? items, state, rest: end)
    }
}
