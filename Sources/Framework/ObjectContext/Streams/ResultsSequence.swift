public import FoundationEssentials
public import ObjectModel

/// The rows of a request, now and after each change, as an asynchronous sequence.
///
///     for await rows in try Book.results(in: context, where: \.year < 1816, sortedBy: \.title) {
///         list.show(rows.fetchedObjects.map(\.title))
///     }
///
/// The first element comes at once. Each element is the same controller, whose rows are the present
/// ones; changes that come while the loop is busy are one element. The loop runs where the context
/// is, and ends with its task. One loop reads a sequence.
///
/// The saves of other contexts and processes come by themselves: the loop merges them into the context
/// when it is woken; see ``FetchedResultsController``.
///
/// - Complexity: as a ``FetchedResultsController``: eight bytes a row, objects are made when they are
///   used.
public struct ResultsSequence<Root: ManagedObject>: AsyncSequence {
    public typealias Element = FetchedResultsController<Root>
    public typealias Failure = Never

    /// The rows.
    public let controller: FetchedResultsController<Root>
    private let queue: EventQueue<Void>
    private let arrival = Arrival()

    /// Whether there are rows that the loop has not seen; used where the context is.
    final class Arrival {
        var hasRows = true
    }

    package init(_ controller: FetchedResultsController<Root>) throws {
        self.controller = controller
        let queue = EventQueue<Void>(limit: 1) {}
        self.queue = queue
        controller.wake = { [weak queue] in queue?.put(()) }
        controller.didChange = { [weak queue, arrival] _ in
            arrival.hasRows = true
            queue?.put(())
        }
        try controller.performFetch()
        queue.put(())
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(controller: controller, queue: queue, arrival: arrival)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let controller: FetchedResultsController<Root>
        let queue: EventQueue<Void>
        let arrival: Arrival

        public mutating func next() async -> FetchedResultsController<Root>? {
            await next(isolation: nil)
        }

        /// The rows after the next change; `nil` when the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> FetchedResultsController<Root>? {
            while await queue.next(isolation: actor) != nil {
                controller.context.takeNews()
                if !arrival.hasRows { continue }
                arrival.hasRows = false
                return controller
            }
            return nil
        }
    }
}

extension KeyValueCoding where Self: ManagedObject {
    /// The objects that meet a condition, now and after each change of the context, as an
    /// asynchronous sequence.
    ///
    ///     for await rows in try Book.results(
    ///         in: context, where: \.year < 1816, sortedBy: \.title, sections: \.author.name) { … }
    ///
    /// - Parameters:
    ///   - context: where to look; the saves of others, also of other processes, are merged into it
    ///     while the sequence exists.
    ///   - condition: what to look for; everything if it is left out.
    ///   - order: properties to sort by, at least one; with sections, those of the sections come
    ///     first without being named.
    ///   - section: the property whose values make the sections; none without it.
    /// - Returns: the rows, fetched already.
    /// - Throws: `ObjectGraphError` for a key path to something that is not a property, or the
    ///   store's error.
    public static func results(
        in context: ManagedObjectContext,
        where condition: Condition<Self>? = nil,
        sortedBy order: SortKeyPath<Self>...,
        sections section: SortKeyPath<Self>? = nil
    ) throws -> ResultsSequence<Self> { try sequence(in: context, condition, order, section) }

    /// The objects that meet a condition written about the object, as an asynchronous sequence.
    ///
    /// - Throws: as with a ``Condition``.
    public static func results(
        in context: ManagedObjectContext,
        where condition: (PropertyPath<Self, Self>) -> Condition<Self>,
        sortedBy order: SortKeyPath<Self>...,
        sections section: SortKeyPath<Self>? = nil
    ) throws -> ResultsSequence<Self> {
        try sequence(in: context, Condition(condition), order, section)
    }

    /// The objects that meet a predicate of Foundation, as an asynchronous sequence.
    ///
    /// - Throws: as with a ``Condition``, and `ObjectGraphError` that names the part of the predicate
    ///   which cannot be translated.
    public static func results(
        in context: ManagedObjectContext,
        where predicate: Predicate<Self>,
        sortedBy order: SortKeyPath<Self>...,
        sections section: SortKeyPath<Self>? = nil
    ) throws -> ResultsSequence<Self> {
        try sequence(in: context, Condition(predicate), order, section)
    }

    private static func sequence(
        in context: ManagedObjectContext,
        _ condition: Condition<Self>?,
        _ order: [SortKeyPath<Self>],
        _ section: SortKeyPath<Self>?
    ) throws -> ResultsSequence<Self> {
        var request = FetchRequest<Self>(where: condition)
        request.order = order.map { $0.sortKey() }
        guard let section else {
            return try ResultsSequence(FetchedResultsController(request: request, context: context))
        }
        let key: SortKey<Self> = section.sortKey()
        if request.order.first?.descriptor.keyPath != key.descriptor.keyPath {
            request.order.insert(key, at: 0)
        }
        return try ResultsSequence(
            FetchedResultsController(request: request, context: context, sections: section)
        )
    }
}
