import FoundationEssentials

struct ArchivedRequest: Codable {
    private struct Sort: Codable {
        let keyPath: String
        let isDescending: Bool?
        let comparison: String?
    }

    private struct Column: Codable {
        let name: String
        let expression: String
        let type: Int?
    }

    private let entity: String
    private let predicate: String?
    private let sorts: [Sort]?
    private let limit: Int?
    private let offset: Int?
    private let batchSize: Int?
    private let resultType: String?
    /// The flags that do not have their usual value.
    private let flags: [String]?
    private let prefetching: [String]?
    private let columns: [Column]?
    private let groups: [Column]?
    private let having: String?
    private let stores: [String]?

    init(_ request: FetchDescription, at place: String, _ notes: inout ArchiveNotes) {
        entity = request.entityName
        predicate = notes.text(of: request.predicate, at: place)
        var sorts: [Sort] = []
        for sort in request.sortDescriptors {
            if sort.comparator != nil {
                notes.leaveOut("\(place): the comparator of the order by \(sort.keyPath)")
                continue
            }
            sorts.append(
                Sort(
                    keyPath: sort.keyPath,
                    isDescending: (!sort.isAscending).flag,
                    comparison: sort.comparison == .binary ? nil : sort.comparison.rawValue
                )
            )
        }
        self.sorts = sorts.nonEmpty
        limit = request.limit == 0 ? nil : request.limit
        offset = request.offset == 0 ? nil : request.offset
        batchSize = request.batchSize == 0 ? nil : request.batchSize
        resultType =
            switch request.resultType {
            case .objects: nil
            case .objectIDs: "objectIDs"
            case .dictionaries: "dictionaries"
            case .count: "count"
            }
        let usual = FetchDescription(entityName: "")
        flags =
            ArchivedRequest.flags.filter { request[keyPath: $0.path] != usual[keyPath: $0.path] }
            .map(\.name).nonEmpty
        prefetching = request.relationshipKeyPathsForPrefetching.nonEmpty
        columns = ArchivedRequest.columns(request.propertiesToFetch, place, &notes)
        groups = ArchivedRequest.columns(request.propertiesToGroupBy, place, &notes)
        having = notes.text(of: request.having, at: place)
        stores = request.affectedStores.nonEmpty
    }

    func request(withConditions: Bool) throws -> FetchDescription {
        var request = FetchDescription(entityName: entity)
        request.sortDescriptors = (sorts ?? []).map {
            FetchSortDescriptor(
                $0.keyPath,
                ascending: !($0.isDescending ?? false),
                comparison: $0.comparison.flatMap(FetchSortDescriptor.Comparison.init) ?? .binary
            )
        }
        request.limit = limit ?? 0
        request.offset = offset ?? 0
        request.batchSize = batchSize ?? 0
        request.resultType =
            switch resultType {
            case "objectIDs": .objectIDs
            case "dictionaries": .dictionaries
            case "count": .count
            default: .objects
            }
        for flag in ArchivedRequest.flags where flags?.contains(flag.name) == true {
            request[keyPath: flag.path].toggle()
        }
        request.relationshipKeyPathsForPrefetching = prefetching ?? []
        request.affectedStores = stores ?? []
        guard withConditions else { return request }
        request.predicate = try predicate.map { try FetchPredicate(archived: $0) }
        request.having = try having.map { try FetchPredicate(archived: $0) }
        request.propertiesToFetch = try ArchivedRequest.columns(columns)
        request.propertiesToGroupBy = try ArchivedRequest.columns(groups)
        return request
    }

    private static var flags: [(name: String, path: WritableKeyPath<FetchDescription, Bool>)] {
        [
            ("includesSubentities", \.includesSubentities),
            ("includesPropertyValues", \.includesPropertyValues),
            ("returnsObjectsAsFaults", \.returnsObjectsAsFaults),
            ("includesPendingChanges", \.includesPendingChanges),
            ("returnsDistinctResults", \.returnsDistinctResults),
            ("shouldRefreshRefetchedObjects", \.shouldRefreshRefetchedObjects),
        ]
    }

    private static func columns(
        _ columns: [FetchDescription.Column],
        _ place: String,
        _ notes: inout ArchiveNotes
    ) -> [Column]? {
        var result: [Column] = []
        for column in columns {
            guard let text = notes.text(of: column.expression, at: "\(place): \(column.name)")
            else { continue }
            result.append(Column(name: column.name, expression: text, type: column.type?.rawValue))
        }
        return result.nonEmpty
    }

    private static func columns(_ columns: [Column]?) throws -> [FetchDescription.Column] {
        try (columns ?? []).map {
            FetchDescription.Column(
                $0.name,
                try FetchExpression(format: $0.expression, argumentArray: []),
                type: $0.type.flatMap(AttributeType.init)
            )
        }
    }
}
