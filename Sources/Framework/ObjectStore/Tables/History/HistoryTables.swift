// The tables of the history, in stores of our own.
//
// A row of OG_TRANSACTION is one save. `grp` is the number of the first transaction of its step.
// The first transaction of a command also holds the state of the command: `state` is 0 done, 1
// undone, 2 undone and dropped because another command followed. `latest` is the step that brought
// it to that state: the command itself, an undo or a redo. So undo or redo has to invert the
// transactions of step `latest`, and both stacks are index scans.
//
//     command ──undo──▶ undone ──redo──▶ done         edges: HistoryWriter.begin
//                          └──another command──▶ dropped
//
// Changes are numbered without gaps; a transaction holds the number of its first one and how many
// follow, which needs no index. Inserts of neighbouring keys share one row (`n`). Entities and
// properties are stored as numbers of OG_NAME, so the history survives a migration that renumbers
// entities.

package enum HistoryTables {
    /// The most new objects in one row of OG_CHANGE; only damage makes more.
    package static let longestRun: Int64 = 1 << 24

    package static let creation = [
        """
        CREATE TABLE OG_TRANSACTION (number INTEGER PRIMARY KEY, date REAL, author TEXT, \
        context TEXT, process INTEGER, kind INTEGER, name TEXT, grp INTEGER, target INTEGER, \
        state INTEGER, latest INTEGER, first INTEGER, count INTEGER)
        """,
        """
        CREATE TABLE OG_CHANGE (id INTEGER PRIMARY KEY, ent INTEGER, pk INTEGER, n INTEGER, \
        kind INTEGER, data BLOB)
        """,
        "CREATE TABLE OG_NAME (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
        "CREATE INDEX OG_DONE ON OG_TRANSACTION (latest) WHERE state = 0",
        "CREATE INDEX OG_UNDONE ON OG_TRANSACTION (latest) WHERE state = 1",
        "CREATE INDEX OG_CONTINUED ON OG_TRANSACTION (grp) WHERE grp <> number",
    ]
}

package enum CommandState: Int64 {
    case done = 0
    case undone = 1
    case dropped = 2
}
