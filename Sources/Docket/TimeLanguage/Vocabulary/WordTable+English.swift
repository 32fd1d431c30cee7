import CivilTime

extension WordTable {
    public static let english: WordTable = {
        var table = WordTable()
        table.weekdays = [
            "monday mon mondy munday", "tuesday tue tues tuseday teusday tusday",
            "wednesday wed weds wensday wednsday wendesday wednessday wednesay",
            "thursday thu thur thurs thrusday thurday thursdy thusday",
            "friday fri firday fridy frday", "saturday sat saterday satuday saturdy",
            "sunday sun sundy",
        ]
        table.weekdayPlurals = [
            "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays",
        ]
        table.common = "sun sat wed mon may march mar second sec min jan dec tom tod"
        table.months = [
            "january jan januray janurary januari", "february feb febuary feburary februrary",
            "march mar", "april apr", "may", "june jun", "july jul", "august aug agust",
            "september sep sept setember septmber", "october oct ocotber octber",
            "november nov novemeber novmber", "december dec decemeber decmber",
        ]
        table.units = [
            (.second, 1, "second seconds sec secs"), (.minute, 1, "minute minutes min mins"),
            (.hour, 1, "hour hours h hr hrs"), (.day, 1, "day days d"),
            (.workday, 1, "workday workdays weekday weekdays"),
            (.workday, 1, "business_day business_days working_day working_days work_day work_days"),
            (.weekend, 1, "weekend weekends wknd"), (.week, 1, "week weeks w wk wks"),
            (.week, 2, "fortnight fortnights"), (.month, 1, "month months mo mth mths"),
            (.quarter, 1, "quarter quarters qtr q"), (.year, 1, "year years y yr yrs"),
            (.year, 10, "decade decades"),
        ]
        table.singulars = "second minute hour day week month quarter year decade fortnight workday"
        table.numbers = [
            (0, "zero"), (1, "one"), (2, "two"), (3, "three"), (4, "four"), (5, "five"),
            (6, "six"), (7, "seven"), (8, "eight"), (9, "nine"), (10, "ten"), (11, "eleven"),
            (12, "twelve"), (13, "thirteen"), (14, "fourteen"), (15, "fifteen"), (16, "sixteen"),
            (17, "seventeen"), (18, "eighteen"), (19, "nineteen"), (20, "twenty"),
            (30, "thirty"), (40, "forty fourty"), (50, "fifty"), (60, "sixty"), (70, "seventy"),
            (80, "eighty"), (90, "ninety"),
        ]
        table.ordinals = [
            (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"), (6, "sixth"),
            (7, "seventh"), (8, "eighth"), (9, "ninth"), (10, "tenth"), (11, "eleventh"),
            (12, "twelfth"), (13, "thirteenth"), (14, "fourteenth"), (15, "fifteenth"),
            (16, "sixteenth"), (17, "seventeenth"), (18, "eighteenth"), (19, "nineteenth"),
            (20, "twentieth"), (30, "thirtieth"),
        ]
        table.parts = [
            (
                .morning,
                "morning mornings at_breakfast over_breakfast first_thing first_thing_in_the_morning"
            ),
            (
                .noon,
                "noon noonish midday noontime lunchtime mid_day lunch_time at_lunch over_lunch"
            ),
            (.afternoon, "afternoon afternoons"),
            (.evening, "evening evenings cob eob close_of_business end_of_business"),
            (.night, "night nights nightly last_thing"),
        ]
        table.leanings = [
            (.morning, "breakfast wake alarm sunrise flight airport ferry"),
            (.evening, "dinner supper drinks cinema movie opera gig bedtime sunset"),
        ]
        table.days = [
            (0, "today tod otd todays"), (1, "tomorrow tomorrows tom tmr tmrw tmw tomorow"),
            (1, "tommorow tommorrow tomorrrow tomorro tomrrow tmorrow"),
            (-1, "yesterday yesterdays"), (2, "overmorrow"),
        ]
        table.dayParts = [(0, .night, "tonight tonite tonights"), (0, .night, "tnight")]
        table.turns = [
            (.this, "this current"), (.next, "next nxt following"), (.last, "last previous past"),
            (.coming, "coming upcoming"),
        ]
        table.roles = [
            (.on, "on over"), (.at, "at"), (.in, "in during"),
            (.due, "due by until till no_later_than not_later_than on_or_before before_or_on"),
            (.due, "at_the_latest"),
            (.from, "from starting start not_before no_earlier_than not_earlier_than"),
            (.from, "no_sooner_than"), (.of, "of"),
            (.before, "before prior_to ahead_of or_earlier or_sooner earlier_than sooner_than"),
            (.after, "after or_later at_the_earliest at_earliest later_than"),
            (.past, "past after"), (.to, "to til till before"), (.for, "for"),
            (.between, "between"), (.through, "to through thru"), (.and, "and"), (.or, "or"),
            (.ago, "ago back"), (.later, "later hence"), (.now, "now right_now just_now"),
            (.more, "more"),
            (
                .verb,
                "is are be was were will would does can has have should never always may march"
            ),
            (.verb, "counts matters"),
            (.heat, "bake baking roast roasting oven preheat heat fry grill degrees"),
            (.openZone, "pt et ct mt pacific eastern pacific_time eastern_time central_time"),
            (.openZone, "mountain_time"), (.half, "half"), (.quarter, "quarter quarters"),
            (.oclock, "oclock"),
            (.about, "around about approximately approx circa ca roughly sometime exactly only"),
            (.article, "the a an"), (.start, "start beginning begin"), (.middle, "middle mid"),
            (.end, "end"), (.couple, "couple few pair"), (.every, "every each"), (.other, "other"),
            (.closest, "closest nearest"), (.am, "am"), (.pm, "pm"), (.early, "early late"),
            (.media, "read reread watch rewatch listen hear see play stream sing hum learn binge"),
            (.media, "download reading watching listening hearing playing singing watched film"),
            (.media, "song album book novel episode podcast"),
            (.counted, "issue issues page pages chapter chapters no number version ticket step"),
            (.counted, "part build terminal dock lane tickets room flat apartment apt suite gate"),
            (.counted, "line lines row seat platform bus route floor section figure table item"),
            (.counted, "items order task score rated rating ratio grade per split file case"),
            (.counted, "docket reference receipt cup cups teaspoon teaspoons tablespoon inch"),
            (.counted, "inches mile miles km kg g ml percent pct dollars euros pounds usd eur"),
            (.counted, "people times pieces points stars volume vol season episode level lesson"),
            (.counted, "unit exercise question problem pr bug psalm scale rate rank count"),
            (.counted, "junction combination code pin sku serial account dilution proportion mix"),
            (.counted, "dilute genesis exodus matthew mark luke john romans corinthians verse"),
            (.counted, "phone tel invoice commit"),
            (.function, "about with without for and or but then at from to because if when while"),
            (.function, "via in on whether although unless who which by until since so is are was"),
            (.function, "were will work works does do can please before after the my our your his"),
            (.function, "her their that not over into per ok"),
            (.possessive, "my our your his her their its mr mrs ms"),
            (.plural, "weekdays workdays weekends mornings afternoons evenings nights"),
            (.except, "except excluding besides not but never instead"),
            (.moves, "extend moved rescheduled postponed shifted delayed rebooked move reschedule"),
            (.moves, "postpone shift push change rebook bring swap delay"),
            (.manner, "ish sharp approximately roughly or_so at_the_latest at_latest"),
            (.week, "week wk cw kw"), (.hundred, "hundred"), (.thousand, "thousand"),
            (.happens, "expire expires expiring ends starts begins opens closes happens"),
            (.midnight, "midnight"), (.zero, "oh o ou zero"), (.within, "within"),
            (.since, "since"), (.ordinalEnding, "st nd rd th"), (.measure, "long old trip"),
            (.time, "time"), (.year, "year"),
            (.contraction, "its lets thats whats theres heres hes shes whos wheres whens hows"),
        ]
        table.ends = [
            (.day, "eod"), (.week, "eow"), (.month, "eom"), (.quarter, "eoq"), (.year, "eoy"),
        ]
        table.repetitions = [
            (.hour, 1, "hourly"), (.day, 1, "daily nightly"), (.week, 1, "weekly"),
            (.week, 2, "fortnightly biweekly"),
            (.month, 1, "monthly"), (.quarter, 1, "quarterly"), (.year, 1, "yearly annually"),
        ]
        table.frequencies = [(1, "once"), (2, "twice"), (3, "thrice")]
        table.holidays = englishHolidays
        table.zones = commonZones
        table.uses = [
            (.effort, "est estimate estimated effort"), (.reminder, "remind reminder"),
            (.sooner, "earlier beforehand"), (.greeting, "happy merry"),
            (.change, "increase decrease raise lower reduce cut off multiply divide grow shrink"),
            (.change, "rose fell grew shrank rises falls drops lose loses win wins split"),
            (.limit, "max maximum most least than only limit"),
            (.measured, "best fastest longest slowest shortest pb pace record beat runtime length"),
            (.measured, "duration lap mile timer default"),
            (.fault, "wrong incorrect missing fail fails failing crashes hangs"),
            (.recording, "intro outro solo riff chorus marker clip subtitle subtitles timestamp"),
            (.handling, "handle parse accept reject support validate format render convert show"),
            (.handling, "display highlight treat"),
            (.trade, "buy sell bid shares stock price strike cost costs"),
            (.naming, "as like called named labelled labeled into shows turns puts misses lacks"),
            (.naming, "equals"), (.street, "avenue street road lane"),
            (.clause, "what how why where who which that whether if because"),
            (.work, "article essay documentary paper piece story biography thesis blog post"),
            (.work, "difference"), (.subject, "i he she we they it you"),
            (.past, "was were had did went came left met saw got took said told sent bought made"),
            (
                .past,
                "won lost ran ate gave knew slept spoke wrote drove flew swam felt found forgot"
            ),
        ]
        table.names = """
            man_friday casual_friday ruby_tuesday blue_monday bloody_sunday sunday_times \
            usa_today monday_night_football sun_cream sat_nav next_door next_level \
            last_minute last_name first_name last_call next_time last_time second_hand first_aid \
            first_class second_class day_off day_care day_trip day_to_day night_shift night_light \
            week_by_week day_by_day one_by_one in_the_end in_the_past from_now_on up_to_date \
            out_of_date two_by_four on_and_off in_the_long_run on_the_other_hand in_the_meantime \
            at_first at_last at_one_time at_a_time in_time on_time in_no_time by_now by_then \
            until_now until_further_notice last_but_one chinese_new_year lunar_new_year \
            jewish_new_year persian_new_year islamic_new_year coptic_easter coptic_christmas \
            christmas_island easter_island manic_monday stormy_monday lazy_sunday given_sunday
            """
        return table
    }()

    private static let englishHolidays: [(HolidayRule, String)] = [
        (.fixed(month: 1, day: 1), "new_years_day new_years new_year newyears newyear"),
        (.fixed(month: 1, day: 6), "epiphany three_kings_day"),
        (.nth(3, .monday, month: 1), "martin_luther_king_day mlk_day martin_luther_kings_day"),
        (.nth(3, .monday, month: 1), "martin_luther_king_jr_day"),
        (.fixed(month: 1, day: 7), "orthodox_christmas"),
        (.fixed(month: 1, day: 25), "burns_night"),
        (.fixed(month: 1, day: 26), "australia_day"),
        (.fixed(month: 2, day: 2), "groundhog_day groundhogs_day candlemas"),
        (.fixed(month: 2, day: 14), "valentines_day valentine_day valentines st_valentines_day"),
        (.nth(3, .monday, month: 2), "presidents_day washingtons_birthday"),
        (.fixed(month: 3, day: 1), "st_davids_day"),
        (.fixed(month: 3, day: 8), "womens_day international_womens_day"),
        (.fixed(month: 3, day: 14), "pi_day"),
        (.fixed(month: 3, day: 17), "st_patricks_day saint_patricks_day st_paddys_day"),
        (.fixed(month: 4, day: 1), "april_fools april_fools_day april_fool_day all_fools_day"),
        (.fixed(month: 4, day: 22), "earth_day"), (.fixed(month: 4, day: 25), "anzac_day"),
        (.nth(3, .monday, month: 4), "patriots_day"), (.nth(-1, .friday, month: 4), "arbor_day"),
        (.fixed(month: 4, day: 23), "st_georges_day"),
        (.easter(-52), "fat_thursday"), (.easter(-48), "rose_monday shrove_monday"),
        (.easter(-47), "shrove_tuesday mardi_gras pancake_day pancake_tuesday fat_tuesday"),
        (.easter(-46), "ash_wednesday"), (.easter(-7), "palm_sunday"),
        (.easter(-3), "maundy_thursday holy_thursday"), (.easter(-2), "good_friday holy_friday"),
        (.easter(-1), "holy_saturday easter_saturday"),
        (.easter(0), "easter easter_sunday easter_day"), (.easter(1), "easter_monday"),
        (.easter(39), "ascension ascension_day ascension_thursday"),
        (.easter(49), "pentecost whitsun whit_sunday pentecost_sunday"),
        (.easter(50), "whit_monday pentecost_monday"), (.easter(56), "trinity_sunday"),
        (.easter(60), "corpus_christi"),
        (.orthodoxEaster(-48), "clean_monday"), (.orthodoxEaster(-2), "orthodox_good_friday"),
        (.orthodoxEaster(0), "orthodox_easter orthodox_easter_sunday greek_easter"),
        (.orthodoxEaster(1), "orthodox_easter_monday"),
        (.fixed(month: 5, day: 1), "may_day labour_day workers_day international_workers_day"),
        (.fixed(month: 5, day: 4), "star_wars_day"), (.fixed(month: 5, day: 5), "cinco_de_mayo"),
        (.before(.monday, month: 5, day: 25), "victoria_day"),
        (.nth(2, .sunday, month: 5), "mothers_day mother_day"),
        (.nth(-1, .monday, month: 5), "memorial_day"),
        (.nth(3, .sunday, month: 6), "fathers_day father_day"),
        (.fixed(month: 6, day: 14), "flag_day"), (.fixed(month: 6, day: 19), "juneteenth"),
        (.fixed(month: 7, day: 1), "canada_day"),
        (.fixed(month: 7, day: 4), "independence_day"),
        (.fixed(month: 7, day: 14), "bastille_day"),
        (.fixed(month: 8, day: 15), "assumption_day assumption"),
        (.nth(1, .monday, month: 9), "labor_day"),
        (.nthPlus(6, 1, .monday, month: 9), "grandparents_day"),
        (.nth(2, .monday, month: 10), "columbus_day indigenous_peoples_day canadian_thanksgiving"),
        (.fixed(month: 10, day: 16), "bosss_day boss_day"),
        (.fixed(month: 10, day: 31), "halloween all_hallows_eve hallows_eve reformation_day"),
        (.fixed(month: 11, day: 1), "all_saints_day all_saints"),
        (.fixed(month: 11, day: 2), "all_souls_day"),
        (.fixed(month: 11, day: 5), "guy_fawkes_night guy_fawkes_day bonfire_night"),
        (.fixed(month: 11, day: 11), "veterans_day veteran_day armistice_day remembrance_day"),
        (.nth(4, .thursday, month: 11), "thanksgiving thanksgiving_day"),
        (.nthPlus(1, 4, .thursday, month: 11), "black_friday"),
        (.nthPlus(4, 4, .thursday, month: 11), "cyber_monday"),
        (.nthPlus(5, 4, .thursday, month: 11), "giving_tuesday"),
        (.advent(1), "advent first_sunday_of_advent"), (.advent(2), "second_sunday_of_advent"),
        (.advent(3), "third_sunday_of_advent"), (.advent(4), "fourth_sunday_of_advent"),
        (.fixed(month: 11, day: 30), "st_andrews_day"),
        (.fixed(month: 12, day: 6), "st_nicholas_day"),
        (.fixed(month: 12, day: 24), "christmas_eve xmas_eve"),
        (.fixed(month: 12, day: 25), "christmas christmas_day xmas xmas_day"),
        (.fixed(month: 12, day: 26), "boxing_day st_stephens_day"),
        (.fixed(month: 12, day: 31), "new_years_eve new_year_eve nye silvester"),
    ]
}
