import ChildProcess
import DocketCore
import Foundation
import Glibc
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketSync

/// Servers that stall, lead in circles or have another certificate, in processes of their own.
@Suite(.serialized, .enabled(if: InstalledProgram.has("python3"), "python3 is not installed"))
struct BadConnectionTests {
    /// A server that does one thing.
    private final class Server {
        let port: UInt16
        private let process: ChildProcess
        private let output = FileManager.default.temporaryDirectory
            .appending(path: "server-\(UUID().uuidString)")

        /// Whether a request has come to a silent server.
        var isAsked: Bool { (try? Data(contentsOf: output))?.isEmpty == false }

        private static let program = """
            import http.server, ssl, sys, time
            mode, port, certificate = sys.argv[1], int(sys.argv[2]), sys.argv[3]
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"
                def log_message(self, *words): pass
                def answer(self):
                    self.rfile.read(int(self.headers.get("Content-Length", 0)))
                    if mode == "circle":
                        self.send_response(302)
                        self.send_header("Location", "/b" if self.path == "/a" else "/a")
                        self.send_header("Content-Length", "0")
                        return self.end_headers()
                    if mode == "silent":
                        print("asked", flush=True)
                        return time.sleep(600)
                    if mode == "slow":
                        if self.command == "REPORT": time.sleep(2.5)
                        answer = b"<multistatus xmlns='DAV:'><response><href>/</href><propstat><prop>" \\
                            b"<resourcetype><calendar/></resourcetype></prop></propstat></response>" \\
                            b"<sync-token>x</sync-token></multistatus>"
                        self.send_response(201 if self.command == "PUT" else 207)
                        self.send_header("Content-Length", str(len(answer)))
                        self.end_headers()
                        return self.wfile.write(answer)
                    self.send_response(207)
                    self.send_header("Content-Length", "1000000")
                    self.end_headers()
                    self.wfile.write(b"<?xml version='1.0'?>")
                    self.wfile.flush()
                    self.close_connection = True
                    if mode == "half": time.sleep(600)
                    while mode == "drip":
                        self.wfile.write(b" ")
                        time.sleep(0.2)
                do_PROPFIND = do_REPORT = do_PUT = answer
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
            if certificate:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(certificate + ".pem", certificate + ".key")
                server.socket = context.wrap_socket(server.socket, server_side=True)
            server.serve_forever()
            """

        init(_ mode: String, certificate: String = "") throws {
            port = try ServerAtHand.freePort()
            process = try ChildProcess(
                "/usr/bin/python3",
                ["-c", Server.program, mode, "\(port)", certificate],
                environment: ["PATH": "/usr/bin:/bin"],
                output: output.path
            )
            try ServerAtHand.waitUntilItListens(port) { "" }
        }

        deinit {
            process.killGroup()
            try? FileManager.default.removeItem(at: output)
        }
    }

    private func replica() throws -> Replica {
        let replica = try Replica()
        try replica.add("One", "Two +Home")
        return replica
    }

    @Test(arguments: [
        ("silent", "was reached, but", 7), ("half", "was reached, but", 7),
        ("drip", "was reached, but", 7), ("circle", "redirects", 1),
        ("cut", "cannot be reached", 7),
    ])
    func aServerThatDoesNotComeToAnEndIsLeft(
        mode: String,
        words: String,
        code: Int32
    ) throws {
        let server = try Server(mode)
        let replica = try replica()
        let process = SyncProcess(store: replica.store, url: "http://127.0.0.1:\(server.port)/")
        let start = ContinuousClock.now
        let (end, text) = try process.run(["--patience", "1"])
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(end == code, "\(text)")
        #expect(text.contains(words) && text.split(separator: "\n").count == 1, "\(text)")
        #expect(try replica.titles() == ["One", "Two"])
    }

    /// Radicale is silent for minutes before it lists all of many.
    @Test func aServerMayTakeLongerForAWholeList() throws {
        let server = try Server("slow")
        let replica = try replica()
        let process = SyncProcess(store: replica.store, url: "http://127.0.0.1:\(server.port)/")
        let (code, text) = try process.run(["--patience", "1"])
        #expect(code == 0 && text.contains("2 items"), "\(text)")
    }

    @Test func withoutAKeyringTheSentenceSaysWhatToDo() throws {
        let replica = try replica()
        let process = SyncProcess(store: replica.store, url: "http://127.0.0.1:1/")
        let (code, text) = try process.run(password: nil)
        #expect(code == 1)
        #expect(text.hasPrefix("docket sync: The keyring "), "\(text)")
        #expect(text.split(separator: "\n").count == 1, "\(text)")
    }

    @Test func controlCEndsARunThatWaits() throws {
        let server = try Server("silent")
        let replica = try replica()
        let url = "http://127.0.0.1:\(server.port)/"
        let process = try SyncProcess(store: replica.store, url: url).start()
        while !server.isAsked { poll(nil, 0, 20) }
        process.signal(SIGINT)
        #expect(process.wait() == .signal(SIGINT))
        #expect(try replica.titles() == ["One", "Two"])
    }

    @Test(
        .enabled(if: InstalledProgram.has("openssl"), "openssl is not installed"),
        arguments: [
            ("IP:127.0.0.1", "", false), ("DNS:other.example", "", true),
            ("IP:127.0.0.1", "200101000000Z", true),
        ]
    )
    func anotherCertificateIsNotAccepted(name: String, start: String, trusts: Bool) throws {
        let replica = try replica()
        let folder = replica.store.deletingLastPathComponent()
        let own = folder.appending(path: "own").path
        try Self.makeCertificate(own, name: name, start: start, in: folder)
        let server = try Server("silent", certificate: own)
        let process = SyncProcess(store: replica.store, url: "https://127.0.0.1:\(server.port)/")
        let words = ["--patience", "2"] + (trusts ? ["--certificates", "\(own).pem"] : [])
        let (code, text) = try process.run(words)
        #expect(code == 1)
        #expect(text.contains("is not accepted") && text.contains("Nothing was sent"), "\(text)")
        #expect(text.split(separator: "\n").count == 1, "\(text)")
        #expect(try replica.titles() == ["One", "Two"])
        if name.hasPrefix("IP"), start.isEmpty {
            // Named in the settings it is.
            let (_, text) = try process.run(["--patience", "1", "--certificates", "\(own).pem"])
            #expect(text.contains("has said hardly anything for 1 s"), "\(text)")
        }
    }

    private static func makeCertificate(
        _ own: String,
        name: String,
        start: String,
        in folder: URL
    ) throws {
        let text = """
            [ca]
            default_ca = own
            [own]
            database = \(folder.path)/index
            new_certs_dir = \(folder.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            x509_extensions = names
            [any]
            commonName = supplied
            [names]
            subjectAltName = \(name)
            """
        try Data(text.utf8).write(to: folder.appending(path: "config"))
        try Data().write(to: folder.appending(path: "index"))
        let dates = start.isEmpty ? "-days 2" : "-startdate \(start) -enddate 210101000000Z"
        let command = """
            openssl req -new -newkey rsa:2048 -nodes -keyout \(own).key -out \(own).csr \
                -subj /CN=docket
            openssl ca -batch -selfsign -config config -keyfile \(own).key -in \(own).csr \
                -out \(own).pem -notext \(dates)
            """
        let end = try ChildProcess(
            "/bin/sh",
            ["-ec", command],
            environment: ["PATH": "/usr/bin:/bin"],
            folder: folder.path
        ).wait()
        #expect(end == .code(0))
    }

    @Test(.enabled(if: InstalledProgram.has("radicale"), "radicale is not installed"))
    func aServerThatIsKilledAtAnyRequestLosesNothing() throws {
        let server = try ServerAtHand(.radicale)
        let (one, two) = (try Replica(), try Replica())
        try two.add("Other", "Last +Work")
        var count = 2
        let last = SeededRandom.rounds(5, long: 40)
        for isLate in [false, true] {
            var number = 1
            while number <= last {
                try one.edit { library in
                    for task in 1...11 {
                        let text = "Task \(task) \(number) \(isLate) +List\(number)\(isLate)"
                        _ = try library.addTask(try library.capture(text))
                    }
                    _ = try library.addTask(try library.capture("Single \(number) \(isLate) +Home"))
                    if let old = try Task.all(in: library.context).first(where: {
                        $0.title.hasPrefix("Single")
                    }) {
                        old.notes = "\(number) \(isLate)"
                    }
                    _ = try library.context.save()
                }
                count += 12
                try server.restart(dyingAt: number, isLate: isLate)
                let (code, text) = try SyncProcess(store: one.store, server: server).run()
                #expect(code == 0 || code == 7, "\(text)")
                #expect(text.split(separator: "\n").count == 1, "\(text)")
                try server.restart()
                for replica in [one, two, one] {
                    let (code, text) = try SyncProcess(store: replica.store, server: server).run()
                    #expect(code == 0, "\(text)")
                }
                try expectEqual(one, two)
                #expect(try Set(one.titles()).count == count, "\(number) \(isLate)")
                if code == 0 { break }
                number += SeededRandom.rounds(2, long: 1)
            }
        }
        #expect(try one.items().count == count)
    }
}
