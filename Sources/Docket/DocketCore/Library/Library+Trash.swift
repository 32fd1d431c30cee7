public import DocketFormats
import ObjectGraph

// What is in the trash is restored, deleted, copied and read; it is not changed there.
extension Library {
    /// Refuses a change of items of which some are in the trash.
    static func requireOutsideTrash(_ items: [Item]) throws {
        let trashed = items.filter { !$0.isDeleted && $0.trashed != nil }
        guard let first = trashed.first else { return }
        throw items.count == 1 ? refusal(ofTrashed: first) : refusal(ofTrashed: trashed.count)
    }

    /// The same of however many items.
    func requireOutsideTrash(_ targets: Targets, for changes: [ItemChange]) throws {
        guard changes.contains(where: { !$0.isAboutTrash }) else { return }
        let trashed = try affected(by: .restore, among: targets).count
        if trashed > 0 { throw Library.refusal(ofTrashed: trashed) }
    }

    /// The refusal of a change of an item that is in the trash.
    public static func refusal(ofTrashed item: Item) -> InputError {
        let title = StepName.quoted(item.title)
        return InputError(.conflict, "\(title) is in the trash; restore it to change it.")
    }

    private static func refusal(ofTrashed count: Int) -> InputError {
        count == 1
            ? InputError(.conflict, "One of the items is in the trash; restore it to change it.")
            : InputError(
                .conflict,
                "\(count) of the items are in the trash; restore them to change them."
            )
    }
}

extension ItemChange {
    /// Whether it is a change of what is in the trash itself.
    var isAboutTrash: Bool {
        switch self {
        case .trash, .restore, .purge: true
        default: false
        }
    }
}
