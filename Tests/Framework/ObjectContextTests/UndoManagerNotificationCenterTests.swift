import ObjectContext
import Synchronization
import Testing

private final class Sender {}

private struct Ping: GraphNotification {
    let sender: AnyObject?
    let number: Int
}

@Suite struct UndoManagerNotificationCenterTests {
    private let center = GraphNotificationCenter()

    @Test func typedObserverHearsItsSenderOnly() {
        let (here, there) = (Sender(), Sender())
        var heard: [Int] = []
        let token = center.addObserver(of: Ping.self, from: here) { heard.append($0.number) }
        center.post(Ping(sender: here, number: 1))
        center.post(Ping(sender: there, number: 2))
        center.post(Ping(sender: nil, number: 3))
        #expect(heard == [1])
        center.removeObserver(token)
        center.removeObserver(token)
        center.post(Ping(sender: here, number: 4))
        #expect(heard == [1])
    }

    @Test func namedNotificationCarriesUserInfo() {
        let sender = Sender()
        var heard: [String] = []
        _ = center.addObserver(named: "Saved", from: sender) { notification in
            let named = notification as? NamedNotification
            heard.append(named?.userInfo["file"] as? String ?? "?")
        }
        center.post("Saved", from: sender, userInfo: ["file": "a"])
        center.post("Closed", from: sender, userInfo: ["file": "b"])
        #expect(heard == ["a"])
    }

    @Test func observersRunInTheOrderOfAdding() {
        let sender = Sender()
        var heard: [Int] = []
        _ = center.addObserver(named: nil, from: sender) { _ in heard.append(1) }
        _ = center.addObserver(of: Ping.self, from: sender) { _ in heard.append(2) }
        _ = center.addObserver(named: nil, from: sender) { _ in heard.append(3) }
        center.post(Ping(sender: sender, number: 0))
        #expect(heard == [1, 2, 3])
    }

    @Test func observerRemovedWhilePostingIsNotCalled() {
        let sender = Sender()
        var heard = 0
        var second: GraphNotificationCenter.Token?
        _ = center.addObserver(of: Ping.self, from: sender) { [center] _ in
            second.map(center.removeObserver)
        }
        second = center.addObserver(of: Ping.self, from: sender) { _ in heard += 1 }
        center.post(Ping(sender: sender, number: 0))
        #expect(heard == 0)
    }

    @Test func senderIsNotKeptAlive() {
        var sender: Sender? = Sender()
        weak let witness = sender
        if let sender { _ = center.addObserver(of: Ping.self, from: sender) { _ in } }
        sender = nil
        #expect(witness == nil)
    }

    @Test func postsFromManyTasksAreAllHeard() async {
        let count = Mutex(0)
        _ = center.addObserver(of: Ping.self) { _ in count.withLock { $0 += 1 } }
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask { [center] in
                    let token = center.addObserver(named: "Other") { _ in }
                    center.post(Ping(sender: nil, number: number))
                    center.removeObserver(token)
                }
            }
        }
        #expect(count.withLock { $0 } == 50)
    }
}
