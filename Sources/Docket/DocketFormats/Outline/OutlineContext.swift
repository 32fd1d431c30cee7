import FoundationEssentials

/// What is above a place in a document with headings and nested tasks.
struct OutlineContext {
    /// A heading or a task, and what is true below it.
    struct Frame {
        /// A deeper one has a greater level.
        var level: Int
        /// The level of a new item right below.
        var inner: Int
        /// The list, and ``OutlineContext/path(_:)`` of it.
        var list: [String] = []
        var path = ""
        /// Whether this is a heading that is the last name of the list.
        var isList = false
        /// The nearest task.
        var task: UUID?
        /// The tags that items below inherit.
        var tags: [String] = []
    }

    /// The frames from the outermost one on; the first is the document.
    private(set) var frames: [Frame]
    /// Whether nothing was read yet.
    var isAtStart = true

    /// A list as one text, for comparison: it is the same in any letter case.
    static func path(_ list: some Collection<String>) -> String {
        list.map { $0.lowercased() }.joined(separator: "\u{0}")
    }

    /// - Parameter inner: the level of an item outside of all headings.
    init(inner: Int) { frames = [Frame(level: 0, inner: inner)] }

    var top: Frame { frames[frames.count - 1] }

    /// The tags of the whole document.
    mutating func setTags(_ tags: [String]) { frames[0].tags = tags }

    /// What is right above a level.
    func above(_ level: Int) -> Frame {
        var place = frames.count - 1
        while place > 0, frames[place].level >= level { place -= 1 }
        return frames[place]
    }

    mutating func leave(_ level: Int) {
        while frames.count > 1, top.level >= level { frames.removeLast() }
    }

    /// Goes below a heading; one without a name, or below a task, is no list.
    mutating func enter(heading name: String, level: Int, inner: Int, tags: [String] = []) {
        leave(level)
        isAtStart = false
        var frame = top
        (frame.level, frame.inner) = (level, inner)
        frame.isList = frame.task == nil && !name.isEmpty
        if frame.isList {
            frame.list.append(name)
            frame.path = OutlineContext.path(frame.list)
        }
        frame.tags += tags.filter { !frame.tags.contains($0) }
        frames.append(frame)
    }

    /// Goes below an item; a note has no task below.
    mutating func enter(item uuid: UUID?, level: Int, inner: Int, tags: [String] = []) {
        leave(level)
        isAtStart = false
        var frame = top
        (frame.level, frame.inner, frame.isList) = (level, inner, false)
        if let uuid { frame.task = uuid }
        frame.tags += tags.filter { !frame.tags.contains($0) }
        frames.append(frame)
    }

    /// Leaves everything but the headings that are the beginning of a list's path.
    ///
    /// - Returns: how many names of the path are left to enter.
    mutating func leave(for list: [String]) -> Int {
        var count = 1
        while count < frames.count, frames[count].isList,
            frames[count].path == OutlineContext.path(list.prefix(frames[count].list.count))
        {
            count += 1
        }
        frames.removeLast(frames.count - count)
        return list.count - top.list.count
    }
}
