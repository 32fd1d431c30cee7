package import ObjectModel

/// What keeps the rows of an in-memory store beyond the life of the process: a file of some format.
package protocol MemoryBacking: AnyObject {
    /// The ID for a new object.
    ///
    /// - Parameter object: its values as far as they are known; relationships may lead to objects
    ///   that are not saved yet.
    /// - Returns: a permanent ID.
    /// - Throws: what refuses the object.
    func newID(for object: StoreObject) throws -> ManagedObjectID

    /// A key that exists already: later IDs must differ from it.
    func noteID(_ id: ManagedObjectID)

    /// Checks whether what was loaded is still what the file holds.
    func checkPlace() throws

    /// Writes the store's rows, which have the changes of a save already.
    ///
    /// - Throws: what refuses the save; then nothing is written, and the store takes the changes
    ///   back.
    func commit(_ changes: MemoryChanges) throws

    func close()
}

/// The changes of one save, with permanent IDs; objects are as they are after it.
package struct MemoryChanges {
    package var inserted: [StoreObject] = []
    package var updated: [StoreObject] = []
    package var deleted: [ManagedObjectID] = []

    package init() {}
}
