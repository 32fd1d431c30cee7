import CivilTime

extension WordTable {
    public static let german: WordTable = {
        var table = WordTable()
        table.weekdays = [
            "montag mo", "dienstag di", "mittwoch mi", "donnerstag do", "freitag fr",
            "samstag sa sonnabend", "sonntag so",
        ]
        table.weekdayPlurals = [
            "montage", "dienstage", "mittwoche", "donnerstage", "freitage", "samstage", "sonntage",
        ]
        table.weekdayAdverbs = [
            "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags",
        ]
        table.common = "mo di mi do fr sa so mai mär august april"
        table.months = [
            "januar jan jänner", "februar feb feber", "märz mär maerz mrz", "april apr", "mai",
            "juni jun", "juli jul", "august aug", "september sep sept", "oktober okt",
            "november nov", "dezember dez",
        ]
        table.units = [
            (.second, 1, "sekunde sekunden sek"), (.minute, 1, "minute minuten min"),
            (.hour, 1, "stunde stunden std h"), (.day, 1, "tag tage tagen tages t d"),
            (
                .workday, 1,
                "werktags wochentags werktag werktage werktagen arbeitstag arbeitstage arbeitstagen"
            ),
            (.weekend, 1, "wochenende wochenenden"), (.week, 1, "woche wochen w wo"),
            (.month, 1, "monat monate monaten monats"),
            (.quarter, 1, "quartal quartale quartalen quartals"),
            (.year, 1, "jahr jahre jahren jahres j"), (.year, 10, "jahrzehnt jahrzehnten"),
        ]
        table.singulars = "sekunde minute stunde tag woche monat quartal jahr jahrzehnt werktag"
        table.numbers = [
            (0, "null"), (1, "ein eins eine einer einem einen"), (2, "zwei zwo"), (3, "drei"),
            (4, "vier"), (5, "fünf"), (6, "sechs"), (7, "sieben"), (8, "acht"), (9, "neun"),
            (10, "zehn"), (11, "elf"), (12, "zwölf"), (13, "dreizehn"), (14, "vierzehn"),
            (15, "fünfzehn"), (16, "sechzehn"), (17, "siebzehn"), (18, "achtzehn"),
            (19, "neunzehn"), (20, "zwanzig"), (3, "anderthalb eineinhalb anderthalbe"),
            (5, "zweieinhalb"), (7, "dreieinhalb"), (30, "dreißig dreissig"), (40, "vierzig"),
            (50, "fünfzig"), (60, "sechzig"), (70, "siebzig"), (80, "achtzig"), (90, "neunzig"),
        ]
        table.ordinals = [
            (1, "erster erste ersten erstes"), (2, "zweiter zweite zweiten zweites"),
            (3, "dritter dritte dritten drittes"), (4, "vierter vierte vierten viertes"),
            (5, "fünfter fünfte fünften"), (6, "sechster sechste sechsten"),
            (7, "siebter siebte siebten"), (8, "achter achte achten"),
            (9, "neunter neunte neunten"), (10, "zehnter zehnte zehnten"),
            (11, "elfter elfte elften"), (12, "zwölfter zwölfte zwölften"),
            (13, "dreizehnter dreizehnte dreizehnten"), (14, "vierzehnter vierzehnte vierzehnten"),
            (15, "fünfzehnter fünfzehnte fünfzehnten"), (16, "sechzehnter sechzehnten"),
            (17, "siebzehnter siebzehnten"), (18, "achtzehnter achtzehnten"),
            (19, "neunzehnter neunzehnten"), (20, "zwanzigster zwanzigste zwanzigsten"),
            (30, "dreißigster dreißigste dreißigsten"),
        ]
        table.parts = [
            (.morning, "früh vormittag morgens vormittags morgen"), (.noon, "mittag mittags"),
            (.afternoon, "nachmittag nachmittags"), (.evening, "abend abends"),
            (.night, "nacht nachts"),
        ]
        table.leanings = [
            (.morning, "frühstück frühstücken aufstehen wecker wecken sonnenaufgang"),
            (.morning, "flug flughafen"),
            (.evening, "abendessen abendbrot kino oper sonnenuntergang"),
        ]
        table.days = [
            (0, "heute"), (1, "morgen"), (2, "übermorgen uebermorgen"), (-1, "gestern"),
            (-2, "vorgestern"),
        ]
        table.turns = [
            (.this, "dieser diese diesen diesem dieses"),
            (.next, "nächster nächste nächsten nächstes nächstem naechste naechsten"),
            (.last, "letzter letzte letzten letztes letztem voriger vorige vorigen vergangene"),
            (.last, "vergangenen vergangener"),
            (.coming, "kommender kommende kommenden kommendes kommendem"),
        ]
        table.roles = [
            (.on, "am an den zu"), (.at, "um gegen"), (.in, "in im während"),
            (.due, "bis fällig spätestens"), (.from, "ab von vom seit frühestens"),
            (.of, "des der im von vom in"), (.before, "vor davor früher_als eher_als"),
            (.after, "nach danach später_als"), (.past, "nach"), (.to, "vor auf"), (.for, "für"),
            (.between, "zwischen"), (.through, "bis"), (.and, "und"), (.or, "oder"), (.ago, "her"),
            (.later, "später"), (.now, "jetzt"), (.half, "halb halbe halben halbes"),
            (.midnight, "mitternacht"), (.quarter, "viertel"), (.oclock, "uhr"),
            (.about, "etwa ungefähr circa ca rund"), (.article, "der die das den dem des zum zur"),
            (.start, "anfang beginn"), (.middle, "mitte"), (.end, "ende"), (.couple, "paar"),
            (.every, "jeder jede jeden jedes alle"), (.other, "zweiten"), (.am, "am"),
            (.early, "früher später spät"),
            (.media, "lesen lies schauen schau hören höre sehen sieh film buch lied serie"),
            (.counted, "maßstab verhältnis mischung spielstand pro je ergebnis seite kapitel"),
            (.counted, "nummer nr ausgabe zimmer raum linie gleis stück euro prozent"),
            (.function, "mit ohne für und oder aber sondern dann um von zu weil wenn wegen bei"),
            (.function, "über bis ab die an auf unter statt"),
            (.verb, "ist sind war waren wird werden"),
            (.possessive, "mein meine dein deine sein seine ihr ihre unser unsere herr herrn frau"),
            (.possessive, "familie"), (.indefinite, "ein eine einer einem einen"),
            (.except, "außer ausser nicht nie statt"), (.plural, "werktags wochentags"),
            (.moves, "verschieben verlegen verschiebe verlege"), (.week, "kw woche kalenderwoche"),
            (.hundred, "hundert"), (.thousand, "tausend"),
            (.halves, "anderthalb eineinhalb anderthalbe zweieinhalb dreieinhalb"),
            (.threeQuarters, "dreiviertel"), (.happens, "endet beginnt startet öffnet schließt"),
            (.within, "binnen innerhalb"), (.year, "jahr jahre"), (.since, "seit"),
            (.fromNow, "ab"),
        ]
        table.ends = [
            (.month, "monatsende"), (.quarter, "quartalsende"), (.year, "jahresende"),
        ]
        table.repetitions = [
            (.hour, 1, "stündlich"), (.day, 1, "täglich"), (.week, 1, "wöchentlich"),
            (.month, 1, "monatlich"),
            (.quarter, 1, "vierteljährlich"), (.year, 1, "jährlich"),
        ]
        table.frequencies = [(1, "einmal"), (2, "zweimal"), (3, "dreimal"), (4, "viermal")]
        table.holidays = [
            (.fixed(month: 1, day: 1), "neujahr neujahrstag"),
            (.fixed(month: 1, day: 6), "heilige_drei_könige dreikönig dreikönigstag"),
            (.fixed(month: 2, day: 14), "valentinstag"), (.easter(-48), "rosenmontag"),
            (.easter(-47), "faschingsdienstag"), (.easter(-46), "aschermittwoch"),
            (.easter(-7), "palmsonntag"), (.easter(-3), "gründonnerstag"),
            (.easter(-2), "karfreitag"), (.easter(-1), "karsamstag"),
            (.easter(0), "ostern ostersonntag"), (.easter(1), "ostermontag"),
            (.easter(39), "himmelfahrt christi_himmelfahrt"),
            (.easter(49), "pfingsten pfingstsonntag"), (.easter(50), "pfingstmontag"),
            (.easter(60), "fronleichnam"), (.fixed(month: 5, day: 1), "tag_der_arbeit maifeiertag"),
            (.nth(2, .sunday, month: 5), "muttertag"), (.easter(39), "vatertag"),
            (.fixed(month: 10, day: 3), "tag_der_deutschen_einheit"),
            (.fixed(month: 10, day: 31), "reformationstag halloween"),
            (.fixed(month: 11, day: 1), "allerheiligen"), (.fixed(month: 12, day: 6), "nikolaus"),
            (.advent(1), "advent"),
            (.fixed(month: 12, day: 24), "heiligabend heilig_abend"),
            (.fixed(month: 12, day: 25), "weihnachten weihnachtstag"),
            (.fixed(month: 12, day: 26), "stefanitag"), (.fixed(month: 12, day: 31), "silvester"),
        ]
        table.zones = commonZones
        table.uses = [
            (.effort, "dauer dauert aufwand geschätzt"),
            (.reminder, "erinnere erinnern erinnerung"), (.sooner, "vorher davor früher"),
            (.greeting, "frohe frohes schöne schönes"), (.limit, "höchstens maximal"),
            (.measured, "schnellste längste beste bestzeit rekord pace standard standardzeit"),
            (.fault, "falsch falsche falscher fehlt scheitert"),
            (.change, "erhöhen senken kürzen reduzieren verschieben gestiegen gefallen gesunken"),
            (.change, "fällt sinkt steigt daneben"), (.trade, "aktien aktie kurs preis"),
            (.naming, "als namens genannt zeigt heißt"),
            (.clause, "was wie warum wo wer welche welcher welches ob dass weil"),
            (.work, "artikel aufsatz doku referat biografie unterschied"),
            (.subject, "ich er sie es wir ihr"),
            (.past, "war waren hatte hatten kam kamen ging gingen traf sah wurde wurden"),
        ]
        table.names = "guten_morgen guter_morgen blauer_montag"
        table.halfIsBefore = true
        table.hasCapitalNouns = true
        table.hasVerbLast = true
        table.joinsWords = true
        table.ordinalPoint = true
        table.has24Hours = true
        return table
    }()
}
