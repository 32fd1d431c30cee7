extension UndoManager {
    /// The moment to register pending changes: a group is about to open or close, an undo or redo
    /// is about to begin, or the redo stack is about to be read.
    public struct Checkpoint: GraphNotification {
        public static let name: NotificationName = "UndoManagerCheckpoint"
        public let manager: UndoManager
        public var sender: UndoManager? { manager }
    }

    public struct DidOpenUndoGroup: GraphNotification {
        public static let name: NotificationName = "UndoManagerDidOpenUndoGroup"
        public let manager: UndoManager
        public var sender: UndoManager? { manager }
    }

    public struct WillCloseUndoGroup: GraphNotification {
        public static let name: NotificationName = "UndoManagerWillCloseUndoGroup"
        public let manager: UndoManager
        /// Whether the group holds discardable actions only.
        public let isDiscardable: Bool
        public var sender: UndoManager? { manager }
    }

    public struct DidCloseUndoGroup: GraphNotification {
        public static let name: NotificationName = "UndoManagerDidCloseUndoGroup"
        public let manager: UndoManager
        /// Whether the group holds discardable actions only.
        public let isDiscardable: Bool
        public var sender: UndoManager? { manager }
    }

    public struct WillUndoChange: GraphNotification {
        public static let name: NotificationName = "UndoManagerWillUndoChange"
        public let manager: UndoManager
        public var sender: UndoManager? { manager }
    }

    public struct DidUndoChange: GraphNotification {
        public static let name: NotificationName = "UndoManagerDidUndoChange"
        public let manager: UndoManager
        public var sender: UndoManager? { manager }
    }

    public struct WillRedoChange: GraphNotification {
        public static let name: NotificationName = "UndoManagerWillRedoChange"
        public let manager: UndoManager
        public var sender: UndoManager? { manager }
    }

    public struct DidRedoChange: GraphNotification {
        public static let name: NotificationName = "UndoManagerDidRedoChange"
        public let manager: UndoManager
        public var sender: UndoManager? { manager }
    }
}
