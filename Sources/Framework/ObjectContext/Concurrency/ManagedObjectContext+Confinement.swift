import ObjectModel

// Finding misuse. In a release build nothing of this is left but the calls' empty bodies.

@available(*, unavailable, message: "A context stays on its executor; pass object IDs instead.")
extension ManagedObjectContext: Sendable {}

@available(*, unavailable, message: "An object stays with its context; pass its objectID instead.")
extension ManagedObject: Sendable {}

extension ManagedObjectContext {
    /// Binds the context to the caller's thread, so that a debug build finds every use elsewhere.
    ///
    /// On the main thread, or on the main actor, that is the main actor's executor, on whatever thread
    /// it runs. A context of a ``BackgroundContext`` is bound already, and so is a container's view
    /// context. Others are checked for use on two threads at a time only, because a task may continue
    /// on another thread. A context that is bound already moves to the caller's thread.
    public func confineToCurrentThread() { confinement.confine() }

    /// Confines the context to the thread that creates it, unless that is the thread of a task,
    /// which may continue on another one.
    package func confineWhereMade() {
        #if DEBUG
        let isTask = withUnsafeCurrentTask { $0 != nil }
        if isTask, !CurrentThread.isMain { return }
        confinement.confine()
        #endif
    }

    /// Lets the context move from thread to thread, as a task does, but never be used on two
    /// threads at a time.
    ///
    /// Not for the context of a ``BackgroundContext``, which stays on its thread.
    public func endConfinement() { confinement.free() }

    /// The context in messages: its name, if it has one.
    var label: String { name.map { "context \"\($0)\"" } ?? "an unnamed context" }

    /// Begins an operation; traps in a debug build if another thread uses the context.
    @inline(__always)
    func beginUse() -> Bool {
        #if DEBUG
        if let isFirst = confinement.begin() { return isFirst }
        fatalError(confinement.complaint(about: "An operation", of: label))
        #else
        return false
        #endif
    }

    @inline(__always)
    func endUse(_ isFirst: Bool) {
        #if DEBUG
        confinement.end(isFirst)
        #endif
    }

    /// Begins a change of an object; traps in a debug build if another thread uses the context.
    func beginUse(of object: ManagedObject) -> Bool {
        if let isFirst = confinement.begin() { return isFirst }
        fatalError(confinement.complaint(about: "\(object)", of: label))
    }

    /// Traps in a debug build if an object is used on a thread where its context may not be used.
    func checkUse(of object: ManagedObject) {
        if !confinement.allows {
            fatalError(confinement.complaint(about: "\(object)", of: label))
        }
    }
}

extension ManagedObject {
    /// The object's context in messages.
    final var home: String { context?.label ?? "no context" }

    /// Checks the thread, in a debug build.
    @inline(__always)
    final func checkUse() {
        #if DEBUG
        owner?.checkUse(of: self)
        #endif
    }

    /// Begins a change of the object, in a debug build: until it ends, no other thread may use the
    /// context.
    @inline(__always)
    final func beginUse() -> Bool {
        #if DEBUG
        return owner?.beginUse(of: self) ?? false
        #else
        return false
        #endif
    }

    @inline(__always)
    final func endUse(_ isFirst: Bool) {
        #if DEBUG
        owner?.endUse(isFirst)
        #endif
    }

    /// Stores, in a debug build, why the object leaves its context.
    @inline(__always)
    final func noteLeaving(_ reason: @autoclosure () -> String) {
        #if DEBUG
        leavingReason = reason()
        #endif
    }

    /// Reports, in a debug build, that some destinations are not of the class that an accessor asks
    /// for, for example because the class is missing among the coordinator's classes.
    @inline(__always)
    final func reportLeftOut(_ count: Int, _ type: ManagedObject.Type, _ slot: Int) {
        #if DEBUG
        if count == 0 { return }
        Misuse.report(
            "\(entity.name).\(entity.slots[slot].name) leaves out \(count) objects that are not of the"
                + " class \(type). Give the class of their entity to the coordinator."
        )
        #endif
    }

    /// Reports, in a debug build, the use of an object without a context: the object, the key, the
    /// reason and the thread.
    ///
    /// The use itself does no harm: values read `nil`, and changes are never saved.
    final func reportUseWithoutContext(_ key: String? = nil) {
        #if DEBUG
        let what = key.map { "\(self), key \"\($0)\"," } ?? "\(self)"
        Misuse.report(
            "\(what) was used on thread \(CurrentThread.label) after"
                + " \(leavingReason ?? "it left its context"). Fetch the object again."
        )
        #endif
    }
}
