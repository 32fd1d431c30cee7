import Encryption
import Foundation
import SeededRandom
import Testing

@testable import TaskChampion

/// The protocol against a small server, and against the client of Taskwarrior 3.
@Suite(.enabled(if: ServerAtHand.isThere))
struct TaskChampionServerTests {
    private let hand: ServerAtHand
    private let server: TaskChampionServer
    private static let client = UUID()
    private static let moment = Date(timeIntervalSince1970: 1_790_000_000)

    init() throws {
        hand = try ServerAtHand()
        let hand = hand
        server = try TaskChampionServer(
            url: hand.url + "/",
            clientID: Self.client,
            secret: SecretBytes("a secret"),
            send: { try hand.send($0) }
        )
    }

    private func update(_ uuid: UUID, _ property: String, _ value: String?) -> TaskOperation {
        .update(uuid, property: property, value: value, date: Self.moment)
    }

    private func add(_ operations: [TaskOperation], to replica: inout TaskReplica) throws {
        guard case .added(let id, _) = try server.add(operations, behind: replica.version) else {
            throw ServerAtHand.Problem(description: "a conflict")
        }
        for operation in operations { replica.apply(operation) }
        replica.version = id
    }

    @Test func whatOneReplicaAddsAnotherOneGets() throws {
        let task = UUID()
        var one = TaskReplica()
        #expect(try server.catchUp(&one) == TaskChampionServer.Changes())
        try add([.create(task), update(task, "description", "Milk “\n😀”")], to: &one)
        try add([update(task, "tag_shop", "")], to: &one)
        var other = TaskReplica()
        let changes = try server.catchUp(&other)
        #expect(other == one && other.tasks[task]?["description"] == "Milk “\n😀”")
        #expect(changes.touched == [task: ["description": Self.moment, "tag_shop": Self.moment]])
        try add([update(task, "tag_shop", nil), .delete(UUID())], to: &other)
        _ = try server.catchUp(&one)
        #expect(one == other && one.tasks[task]?.count == 1)
    }

    @Test func aVersionBehindAnOldOneIsAConflict() throws {
        var one = TaskReplica()
        let other = TaskReplica()
        try add([.create(UUID())], to: &one)
        let late = try server.add([.create(UUID())], behind: UUID())
        #expect(late == .conflict(one.version))
        #expect(other.version == TaskReplica.beginning)
    }

    @Test func whereVersionsAreGoneTheSnapshotCounts() throws {
        let (first, second) = (UUID(), UUID())
        var one = TaskReplica()
        try add([.create(first), update(first, "description", "one")], to: &one)
        var old = one
        try add([.create(second), update(second, "description", "two"), .delete(first)], to: &one)
        try server.add(snapshot: one)
        try add([update(second, "priority", "H")], to: &one)
        try hand.tell("forget")
        let changes = try server.catchUp(&old)
        #expect(changes.isComplete && old == one)
        var new = TaskReplica()
        #expect(try server.catchUp(&new).isComplete && new == one)
    }

    @Test func anotherSecretAndALyingServerAreToldApart() throws {
        var one = TaskReplica()
        try add([.create(UUID())], to: &one)
        let hand = hand
        let stranger = try TaskChampionServer(
            url: hand.url,
            clientID: Self.client,
            secret: SecretBytes("another secret"),
            send: { try hand.send($0) }
        )
        var other = TaskReplica()
        #expect(throws: TaskChampionError.sealed) { try stranger.catchUp(&other) }
        #expect(other == TaskReplica())
        try hand.tell("fail?n=1")
        let error = #expect(throws: TaskChampionError.self) { try server.catchUp(&other) }
        #expect(error?.description.contains("The server answers 500") == true)
        // One that answers every version with itself.
        let liar = try TaskChampionServer(
            url: "",
            clientID: Self.client,
            secret: SecretBytes("a secret"),
            send: { request in
                if request.url.hasSuffix("snapshot") { return TaskServerResponse(status: 404) }
                let version = UUID(uuidString: String(request.url.suffix(36)))
                return try hand.send(
                    TaskServerRequest(
                        method: "GET",
                        url: "\(hand.url)/v1/client/get-child-version/\(TaskReplica.beginning)",
                        headers: [:]
                    )
                ).replacing("x-version-id", with: version?.uuidString ?? "")
            }
        )
        #expect(throws: TaskChampionError.damaged) { try liar.catchUp(&other) }
    }

    @Test(.enabled(if: ServerAtHand.hasClient))
    func theClientOfTaskwarriorAndThisOneUnderstandEachOther() throws {
        let sync = ["sync": [hand.url, Self.client.uuidString.lowercased(), "a secret"]]
        let task = UUID()
        let name = task.uuidString.lowercased()
        let properties = ["description": "Milk", "tag_shop": "", "entry": "1790000000"]
        _ = try hand.client("theirs", [["set": [name: properties]], sync])
        var replica = TaskReplica()
        _ = try server.catchUp(&replica)
        #expect(replica.tasks == [task: properties])
        let other = UUID()
        let wanted = ["description": "Äpfel \"rot\"\n", "status": "pending"]
        var operations = replica.operations(giving: other, wanted) { _ in Self.moment }
        operations += replica.operations(giving: task, ["description": "Oat milk"]) { _ in
            Self.moment
        }
        try add(operations, to: &replica)
        let names = ["all": ["description", "tag_shop", "entry", "status"]]
        func all(_ replica: String) throws -> [UUID: TaskProperties] {
            let answer = try hand.client(replica, [sync, names])[1]
            return answer.reduce(into: [:]) {
                $0[UUID(uuidString: $1.key) ?? UUID()] = $1.value as? [String: String]
            }
        }
        #expect(try all("theirs") == replica.tasks)
        try server.add(snapshot: replica)
        try hand.tell("forget")
        #expect(try all("new") == replica.tasks)
        // Their own snapshot is read here.
        for number in 0..<12 {
            _ = try hand.client("theirs", [["set": [name: ["n": "\(number)"]]], sync])
        }
        try hand.tell("forget")
        var late = TaskReplica()
        #expect(try server.catchUp(&late).isComplete)
        #expect(late.tasks[task]?["n"] == "11" && late.tasks[other] == wanted)
    }

    @Test func aReplicaIsWhatItsOperationsMakeAndItsSnapshotIsTheSame() throws {
        var random = SeededRandom()
        var replica = TaskReplica()
        let uuids = (0..<8).map { _ in UUID() }
        for _ in 0..<300 {
            let uuid = random.pick(uuids)
            var wanted: TaskProperties? = [:]
            for name in ["a", "b", "tag_ä"] where random.below(2) == 0 {
                wanted?[name] = "\(random.below(4))"
            }
            if random.below(6) == 0 { wanted = nil }
            let operations = replica.operations(giving: uuid, wanted) { _ in Self.moment }
            #expect(operations.isEmpty == (replica.tasks[uuid] == wanted))
            let read = try TaskOperation.operations(TaskOperation.json(operations))
            #expect(read == operations)
            for operation in read { replica.apply(operation) }
            #expect(replica.tasks[uuid] == wanted)
        }
        let again = try TaskReplica(version: replica.version, snapshot: replica.snapshot())
        #expect(again == replica)
    }
}

extension TaskServerResponse {
    fileprivate func replacing(_ header: String, with value: String) -> TaskServerResponse {
        var response = self
        response.headers[header] = value
        return response
    }
}
