import DocketFormats
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Two windows that would put tasks below themselves.
@Suite struct CircleTests {
    let folder: LibraryFolder
    let library: Library
    let other: Library
    let tasks: [Task]

    init() throws {
        folder = try LibraryFolder()
        let library = try folder.open()
        self.library = library
        tasks = try library.addTasks(["a", "b", "c", "d"].map { try library.capture($0) }).tasks
        other = try folder.open(author: "other")
    }

    private func refusal(_ body: () throws -> Void) throws -> String? {
        do {
            try body()
            return nil
        } catch let error as InputError { return error.message }
    }

    private func others(_ title: String) throws -> Task {
        try #require(try Task.all(in: other.context).first { $0.title == title })
    }

    /// The other window puts a task under another one, or at the top.
    private func nestElsewhere(
        _ task: String,
        _ parent: String?,
        kind: TransactionInfo.Kind = .command
    ) throws {
        try other.refresh()
        try others(task).parent = try parent.map(others)
        var info = TransactionInfo()
        info.kind = kind
        info.groupName = "Nested"
        _ = try other.save(other.context, info)
    }

    private func parents() throws -> [String] {
        try library.refresh()
        return try Task.all(in: library.context).sorted { $0.shortID < $1.shortID }
            .map { $0.parent?.title ?? "-" }
    }

    /// The tasks between the two are read on the way, and nobody keeps them.
    @Test func aTaskIsNotPutBelowATaskThatIsFarBelowIt() throws {
        let depth = 12
        let titles = (0..<depth).map { "t\($0)" }
        let nested = try library.addTasks(titles.map { try library.capture($0) }).tasks
        for (task, parent) in zip(nested.dropFirst(), nested) {
            try library.setParent(parent, of: [task])
        }
        for top in 0..<(depth - 1) {
            let window = try folder.open(author: "window \(top)")
            let find = { (title: String) in
                try #require(try Task.first(in: window.context) { $0.title == title })
            }
            let (above, below) = (try find("t\(top)"), try find("t\(depth - 1)"))
            #expect(throws: InputError.self) { try window.setParent(below, of: [above]) }
        }
    }

    @Test(arguments: [false, true])
    func taskThatTwoWindowsWouldPutBelowItselfStaysWhereItIs(isForm: Bool) throws {
        try library.setParent(tasks[2], of: [tasks[1]])
        let step = try library.undoSteps(limit: 1).first?.name
        let words = try refusal {
            if isForm {
                let scratch = library.makeScratch()
                let task = try #require(
                    try scratch.existingObject(with: tasks[0].objectID) as? Task
                )
                task.parent = try scratch.existingObject(with: tasks[1].objectID) as? Task
                task.title = "a changed"
                try nestElsewhere("c", "a")
                _ = try library.saveForm(scratch, of: task)
            } else {
                try library.change {
                    try Library.setParent(of: tasks[0], to: tasks[1])
                    tasks[0].title = "a changed"
                    try nestElsewhere("c", "a")
                    return StepName(.edited, StepSubject([tasks[0]]))
                }
            }
        }
        #expect(
            words == "\"a changed\" cannot be a subtask of \"b\", which is below it since another "
                + "program's save."
        )
        #expect(try parents() == ["-", "c", "a", "-"])
        #expect(tasks[0].title == "a")
        #expect(try library.undoSteps(limit: 2).map(\.name) == ["Nested", step])
    }

    @Test func subtasksThatMakeNoCircleAreSavedBesideOthers() throws {
        // The first two change places while another window uses them as well.
        try library.setParent(tasks[0], of: [tasks[1]])
        try library.change {
            tasks[1].parent = nil
            try Library.setParent(of: tasks[0], to: tasks[1])
            try nestElsewhere("c", "a")
            try nestElsewhere("d", "b")
            return StepName(.edited, StepSubject([tasks[0]]))
        }
        #expect(try parents() == ["b", "-", "a", "b"])
        #expect(try library.undo()?.isDone == true)
        #expect(try library.undo()?.isDone == true)
        #expect(try library.undo()?.isDone == true)
        #expect(try parents() == ["-", "a", "-", "-"])
    }

    /// What undo skips has put the task below its former subtask.
    @Test(arguments: [1_000, 1])
    func undoThatWouldPutATaskBelowItselfChangesNothing(limit: Int) throws {
        library.largestChange = limit
        library.partSize = 1
        try library.setParent(tasks[1], of: [tasks[0]])
        try library.setParent(tasks[1], of: [tasks[3]])
        let lifted = try library.longCommand(.parent(nil), on: .items([tasks[0], tasks[3]]))
        try lifted.run()
        library.takeOverLongCommand()
        #expect(try parents() == ["-", "-", "-", "-"])
        try nestElsewhere("b", "a", kind: .silent)
        #expect(
            try refusal { _ = try library.undo() }
                == "\"a\" cannot be a subtask of \"b\", which is below it since another program's "
                + "save."
        )
        #expect(try parents() == ["-", "a", "-", "-"])
        #expect(library.unfinishedCommand == nil)
        try nestElsewhere("b", nil, kind: .silent)
        #expect(try library.undo()?.isDone == true)
        #expect(try parents() == ["b", "-", "-", "b"])
    }
}
