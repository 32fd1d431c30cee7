/// What went wrong between Docket and a TaskChampion server; the description is a whole sentence.
public struct TaskChampionError: Error, Hashable, CustomStringConvertible {
    public let description: String
    /// Whether the server no longer has the version that this side has, nor a later snapshot.
    public let isGone: Bool

    init(_ description: String, isGone: Bool = false) {
        self.description = description
        self.isGone = isGone
    }

    static let damaged = TaskChampionError(
        "What the server has sent is not a version or a snapshot of tasks; nothing was changed."
    )

    static let sealed = TaskChampionError(
        "What the server has sent cannot be decrypted: the encryption secret or the client ID is not"
            + " that of the other replicas. Nothing was changed."
    )

    static func newer(_ operation: String) -> TaskChampionError {
        TaskChampionError(
            "A version has the operation “\(operation)”, which this version of Docket does not know;"
                + " nothing was changed."
        )
    }

    static let gone = TaskChampionError(
        "The server no longer has the versions since the last synchronization, and no snapshot.",
        isGone: true
    )
}
