import ObjectGraph

/// A part of a window that follows the changes of its context.
///
/// It only notes what is outdated. Rows, results and texts are made again while the next frame is
/// prepared, so no follower sees another one before it has heard of the change.
protocol ChangeFollower: AnyObject {
    func follow(_ change: ObjectsDidChange)
    func follow(_ save: ContextDidSave)
}

extension ChangeFollower {
    func follow(_ save: ContextDidSave) {}
}
