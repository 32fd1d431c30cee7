import DocketCore
import DocketFormats
import ObjectGraph

/// The reports of `docket doctor` for programs.
enum DoctorJSON {
    static func report(
        _ inspection: LibraryInspection,
        repaired: [LibraryFinding],
        backup: String?
    ) -> JSONValue {
        .object([
            JSONMember("healthy", .bool(inspection.isHealthy)),
            JSONMember("checksums", .bool(inspection.hasChecksums)),
            JSONMember("items", .number(String(inspection.items))),
            JSONMember("objects", .number(String(inspection.objects))),
            JSONMember("transactions", .number(String(inspection.transactions))),
            JSONMember("findings", .array(inspection.findings.map(value))),
            JSONMember("repaired", .array(repaired.map(value))),
            JSONMember("backup", backup.map { .string($0) } ?? .null),
        ])
    }

    static func report(_ saved: SavedLibrary, _ path: String) -> JSONValue {
        let report = saved.report
        return .object([
            JSONMember("file", .string(path)),
            JSONMember("items", .number(String(saved.items))),
            JSONMember("correctedPages", .number(String(report.correctedPages))),
            JSONMember("lostPages", .number(String(report.lostPages))),
            JSONMember("lostRows", .number(String(report.lostRows))),
            JSONMember("cutRows", .number(String(report.cutRows))),
            JSONMember("refusedRows", .number(String(report.refusedRows))),
            JSONMember("lostObjects", .number(String(report.lostObjects))),
            JSONMember("lostTables", .array(report.lostTables.map { .string($0) })),
            JSONMember("lostTitles", .array(saved.lostTitles.map { .string($0) })),
        ])
    }

    private static func value(_ finding: LibraryFinding) -> JSONValue {
        .object([
            JSONMember("kind", .string(finding.kind)),
            JSONMember("count", .number(String(finding.count))),
            JSONMember("message", .string(finding.message)),
            JSONMember("repair", finding.repair.map { .string($0) } ?? .null),
            JSONMember("vault", .bool(finding.isOfVault)),
        ])
    }
}
