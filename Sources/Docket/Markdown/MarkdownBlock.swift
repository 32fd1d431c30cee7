import CMarkdown

/// A paragraph, a heading, a table or the like, with what it is inside of.
public struct MarkdownBlock {
    public enum Kind: Hashable, Sendable {
        case text
        case heading(Int)
        /// Lines of code, and the name of its language; empty for none.
        case code(language: String)
        case html
        case rule
        case table
    }

    /// What a block is inside of.
    public enum Container: Hashable, Sendable {
        case quote
        case item(Marker)
    }

    /// What is before the first line of an item.
    public enum Marker: Hashable, Sendable {
        case bullet
        /// `3.`
        case number(String)
        case task(MarkdownTask)
        /// The number of a footnote; nothing may lead to it.
        case footnote(String, isReferenced: Bool)
    }

    public let kind: Kind
    /// From outside to inside.
    public let containers: [Container]
    /// From which container on the block is the first one inside.
    public let firstInside: Int
    /// The line in the text, from 0.
    public let line: Int
    /// Whether a blank line is before it.
    public let isApart: Bool
    /// Whether it is code between fences, whose first line is behind its own.
    public let isFenced: Bool

    /// Safety: a node of the section's tree, read by methods of that section only.
    let node: OpaquePointer?

    /// The box that stands before the block.
    public var task: MarkdownTask? {
        guard firstInside < containers.count, case .item(.task(let task))? = containers.last else {
            return nil
        }
        return task
    }

    /// Whether it belongs to an item that is ticked.
    public var isDone: Bool {
        for case .item(.task(let task)) in containers.reversed() { return task.isDone }
        return false
    }
}

/// An item of a task list, `[ ]` or `[x]`.
public struct MarkdownTask: Hashable, Sendable {
    /// Where the sign between the brackets is, in bytes of the text.
    public let place: Int
    public let isDone: Bool
}

/// A piece of text of one kind inside a block; a line end in it ends a line of the block.
public struct MarkdownSpan: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case text
        case code
        case html
        /// A link to the item with a title.
        case title(String)
        /// A link to an address; `isShown` if the text is the address itself.
        case address(String, isShown: Bool)
        case footnote
    }

    public var text: String
    public var kind = Kind.text
    public var isBold = false
    public var isItalic = false
    public var isStruck = false
}

/// The cells of a table.
public struct MarkdownTable {
    public enum Alignment: Sendable { case leading, center, trailing }

    public struct Row {
        /// In the text, from 0.
        public let line: Int
        public let cells: [[MarkdownSpan]]
    }

    public let alignments: [Alignment]
    /// The first one is the head; all have a cell for each column.
    public let rows: [Row]
}
