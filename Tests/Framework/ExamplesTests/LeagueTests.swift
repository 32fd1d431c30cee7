import ChildProcess
import Testing

/// The league's file as Debian's `sqlite3` sees it.
@Suite struct LeagueTests {
    @Test func tablesLookLikeCoreDatas() throws {
        let examples = try Examples()
        let file = examples.path("league.sqlite")
        #expect(try examples("league", "--file", file).end == .code(0))

        let columns = try examples.sqlite3(file, "SELECT name FROM pragma_table_info('ZPLAYER')")
        #expect(Set(columns) == ["Z_PK", "Z_ENT", "Z_OPT", "ZGOALS", "ZTEAM", "ZNAME"])
        #expect(
            try examples.sqlite3(
                file,
                "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 100 ORDER BY 1"
            )
                == ["1|Player|0|8", "2|Team|0|3"]
        )
        #expect(
            try examples.sqlite3(file, "SELECT Z_PK, Z_ENT, ZNAME, ZCITY FROM ZTEAM ORDER BY ZNAME")
                .map {
                    $0.split(separator: "|").dropFirst().joined(separator: "|")
                } == ["2|United|Eastham", "2|Wanderers|Westfield"]
        )
    }

    @Test func cascadeLeavesNoPlayerWithoutATeam() throws {
        let examples = try Examples()
        let file = examples.path("league.sqlite")
        #expect(try examples("league", "--file", file).end == .code(0))
        let players = try examples.sqlite3(
            file,
            """
            SELECT ZPLAYER.ZNAME, ZGOALS, ZTEAM.ZNAME FROM ZPLAYER
            LEFT JOIN ZTEAM ON ZTEAM.Z_PK = ZPLAYER.ZTEAM ORDER BY ZPLAYER.ZNAME
            """
        )
        #expect(
            players == [
                "Dana Novak|4|United", "Eli Ruiz|9|United", "Femi Adler|0|Wanderers",
                "Gus Lindt|5|Wanderers", "Hana Kato|6|Wanderers",
            ]
        )
    }
}
