/// Titles that contain words of time and mean no date.
enum InnocentTitles {
    static var all: [String] { (sentences + names).split(separator: "\n").map(String.init) }

    static let sentences = """
        Yesterday by the Beatles
        Read plan week 12
        Couch to 5k week 3
        Budget review q1 2027
        Photos dec 2026
        Report of q3 2026
        Leave the 9 to 5 job
        The 9 to 5 grind
        Print friday 1200 flyers
        Watch Friday Night Lights
        issue 12/24
        at 5 Main Street
        Read 1984
        Watch 2001: A Space Odyssey
        Listen to Ruby Tuesday
        Read The Man Who Was Thursday
        Watch Saturday Night Fever
        Watch 28 Days Later
        Watch The Day After Tomorrow
        Watch Groundhog Day
        Watch Independence Day
        Read 11/22/63
        Listen to Yesterday
        Read Tuesdays with Morrie
        Watch Black Friday documentary
        Buy Sunday Times
        Renew Sunday Times subscription
        Watch the Today Show
        Read USA Today
        Play Monday Night Football
        Around the World in 80 Days
        Tomorrow Never Dies
        Watch Edge of Tomorrow
        Listen to Friday I'm in Love
        Sunday Bloody Sunday chords
        Learn the chords of Manic Monday
        Buy 3 second hand books
        Read the second chapter
        Sort the first box
        Fix the third step
        Support 24/7 and 1/2 cup
        Add 3/4 cup of sugar
        Rated 9/10
        Score was 7-6
        Upgrade to Ubuntu 22.04
        Install iOS 17.4
        Read section 3.12
        Update to version 2.11
        Release v10.2
        Call room 1030
        Room 12.30
        Pay $12 to Ana
        Pay 5 € to Bob
        Costs 9.30 euros
        Send 12:30 euros
        Order 12345678
        Invoice 20451231
        Call +49 170 1234567
        Tel 030 123 456
        Sales for last quarter
        Discuss the plan for next quarter
        Prepare slides for the next quarter
        May the force be with you
        May I ask what this is for?
        This may take longer than expected
        March to the beat
        Organise the march
        Buy sun cream
        Buy a sun hat
        Fix the sat nav
        Ask Tom
        Call Tom about the car
        Sit with April
        Write to June
        Ask May about the form
        Call Ana's friend
        Meet my Monday group
        Write our Friday report
        The Monday meeting notes
        Prepare the Friday demo
        Clean up after the 5pm rush
        Look for a 9:30 slot
        Buy tickets for the 7pm show
        Check the Tomorrowland site
        Read Monday.com pricing
        Open monday.com
        Ping @friday
        Email june@example.com
        Check https://example.com/2026/11/24
        See file report-2026-11-24.pdf
        Rename backup_2026-11-24.tar
        Fix 10.0.0.1
        Ship 2.0.1
        Aspect ratio 16:9
        A 4:3 display
        Schedule a 1:1
        Read John 3:16
        Learn Psalm 23
        Read chapter 12
        Read page 24
        Count to 10
        Walk 10000 steps
        Run 5 km in March
        Drink 8 glasses
        Bake at 180 degrees
        Buy 3d glasses and 2w bulbs
        Buy 12 eggs
        Get 2 pounds of flour
        Book table for 4
        Seat 14A
        Flight 7p
        Terminal 2
        Gate 12
        Bus 24
        Take route 66
        Good Morning Paul
        Good night Cortana
        Have a great month
        Nice day
        Have a nice weekend
        Day off policy
        Plan the day trip
        Night shift handover
        The morning routine
        Write morning pages
        Evening dress for Ana
        Buy night light
        Read Night by Elie Wiesel
        Watch Midnight in Paris
        Watch High Noon
        Midnight train tickets
        Learn Clair de Lune
        Watch The Last Jedi
        Last call for papers
        Find last name
        Next level training
        Fix next button
        Next steps
        The last mile
        Read The Next Person
        First aid kit
        First things first
        Second opinion on tooth
        Third party audit
        Daily standup notes template
        Weekly report format
        Every good boy
        Every Breath You Take chords
        Read Every Day by Levithan
        Buy Christmas presents
        Christmas party planning
        Watch White Christmas
        Wrap Christmas gifts
        Easter egg hunt ideas
        Buy Halloween costume
        Valentine's card ideas
        Thanksgiving turkey recipe
        New Year resolutions
        Watch New Year's Eve movie
        Black Friday deals
        Mother's Day card ideas
        Labour Day origin
        10 days of code
        3 days workshop
        2 week sprint notes
        Two-week notice template
        5 minute talk
        One day trip
        One hour photo
        Do it in time
        Be on time
        Keep up to date
        Day to day costs
        Day by day plan
        Week by week plan
        Year in review
        Month end closing checklist
        Quarter pounder
        Half marathon training plan
        Half past nothing
        Quarter zip sweater
        Twenty questions
        Twenty-six people die in accident
        Seven samurai
        Seven of nine
        Ocean's Eleven
        Ten commandments
        Catch 22
        Area 51
        Apollo 11
        Windows 11
        Formula 1
        Section 8
        Blink-182
        Studio 54
        Channel 4
        Big 5
        Fix bug 1204
        Close ticket 24.12
        Look at commit 20261124
        PR 412
        RFC 5545
        ISO 8601
        Boeing 747
        Peugeot 206
        Blade Runner 2049
        1917 on DVD
        2012 tax return
        Tax return 2025
        Budget 2027
        Roadmap 2027
        Class of 2010 reunion
        The 1990s playlist
        Summer of 69
        Back to the Future

        """

    static let names = """
        Now and Then
        Apocalypse Now
        Then and now
        By the way
        By the book
        On and on
        On the road
        In the end
        At the moment
        At once
        At home
        From here
        From scratch
        To and fro
        Half-life
        Mon Ami restaurant
        Mar del Plata trip
        Jan's birthday gift
        Dec team contacts
        Sat on the fence
        Wed in white
        Thu Trang contract
        Fri the onions
        Sun tzu quotes
        We sat down
        Second floor
        On the first floor
        On the second page
        On Monday Night Football
        In the morning glory
        Man Friday
        Casual Friday outfit
        Cyber Monday list
        Ash Wednesday poem
        Palm Sunday history
        Fat Tuesday beads
        Saturday Kitchen episode
        Ruby Tuesday lunch menu
        Call 911
        Dial 112
        Size 10 shoes
        Size 42
        Grade 9 maths
        Year 7 homework
        Week 12 scan results
        Q3 numbers
        Q4 OKRs draft
        Prepare 2027 budget
        5 stars
        3 Doors Down tickets
        Learn Spanish in 30 Days
        30 Day Challenge
        90 Day Fiancé
        7 Years in Tibet
        Six Feet Under
        Nine to five
        9 to 5 playlist
        9-5 job search
        Work 9 to 5
        3:10 to Yuma
        Midnight's Children
        A Midsummer Night's Dream
        The Night Watch
        Twelfth Night tickets
        Fix the 500 error
        A day in the life
        One fine day
        Save the date
        Rainy day fund
        Pay day loan
        Date night ideas
        Late night show
        Early bird tickets
        The early days
        End of the line
        End of story
        Beginning of infinity
        Start the car
        Start 5 servers
        Start from scratch
        Finish by hand
        Due diligence
        Overdue books
        Until Dawn
        Until the end
        Buy stamps for 2 letters
        Wait for it
        For sale sign
        Look for 3 options
        Out of 10
        Plan the Sunday roast
        Friday afternoon blues playlist
        Return the May issue of Wired
        Cancel The Times on Sunday subscription
        Buy a ticket to Monday's match
        Find the 2024 tax file
        Update the 2026 roadmap slides
        Book hotel for 3 nights
        Order pizza for 8
        Ring the bell at number 10
        Deliver parcel to 12 March Road
        Visit 221B Baker Street
        Meet at 30 Rockefeller Plaza
        Go to Cafe Noon
        Check the Saturn V model
        Compare iPhone 15 and 16
        Fix issue 3/4 in tracker
        Review section 4.2
        Merge release 1.10
        Bump node to 20.11
        Read chapters 3-5
        Read pages 10-24
        Review slides 5-12
        Measure 3/8 inch bolt
        Cut 1/2 plywood sheet
        Mix 2:1 ratio
        Final score 3-2
        Win 10-7
        Write about today's youth
        Watch Tomorrowland
        Watch 24
        Watch 12 Monkeys
        Watch 10 Things I Hate About You
        Watch Before Sunrise
        Watch Before Midnight
        Watch From Dusk Till Dawn
        Watch The Fourth Kind
        Watch Late Night
        Watch Christmas Vacation
        Watch Next
        Watch Now You See Me
        Watch Annie Hall at home
        Listen to Eight Days a Week
        Listen to A Hard Day's Night
        Listen to Wednesday Morning, 3 A.M.
        Listen to 1999 by Prince
        Listen to September
        Listen to Summer of '69
        Listen to Sunday Morning
        Listen to Friday on My Mind
        Play November Rain
        Learn Blue Monday bass line
        Read Animal Farm by Monday Press
        Read The Midnight Library
        Read The Second Sex
        Read One Hundred Years of Solitude
        Read Four Thousand Weeks
        Read Twenty Thousand Leagues
        Read Saturday by Ian McEwan
        Read The Long Earth
        Read 4 3 2 1
        Read 2001
        Send April her present
        Call June about May
        Invite August Wilson
        Ask Autumn for notes
        Thank Sunday Adeyemi
        Email Dr. March
        Write Mr. Noon
        Hire Monday as contractor
        Vote for Friday as mascot
        Feed the cat twice
        Do 20 push-ups
        Run 3x400
        Take 2 pills
        Drink 2 l of water
        Save 500 euros
        Pay 1.200,50 €
        Withdraw 200
        Set oven to 200
        Temperature 21.5 degrees
        Battery at 5 percent
        Download at 12 mbps
        Bake at 180
        Fly at 900 km/h
        Version 2026.1 notes
        Install Fedora 41
        Use C++17
        Python 3.12 migration
        Rename IMG_20261124.jpg
        Open ticket #1204
        See https://a.b/2026-11-24/x
        SSH to 192.168.10.24
        Dial 555-0123
        Room 9:30 sign
        The 11 o'clock news
        The midnight oil
        One more time
        First come first served
        A second chance
        Third time lucky
        Every other thing
        At the eleventh hour
        Better late than never
        Long time no see
        In the nick of time
        Half a pound of butter
        A quarter of the cake
        Two thirds majority
        Around the clock
        Past participle exercises
        The past tense
        Next in line
        Last but not least
        Day one onboarding
        Year one review
        Weekly
        Month of May calendar
        Two for the Road
        For Two
        Dinner for One
        Table for Three
        The Half of It
        Half Life 2
        Half Moon Bay
        Not Without My Daughter
        Not Today Satan
        But for the grace
        Nightly news show
        Tomorrow's World
        Monday's Child
        Friday's Child by Heyer
        Sunday's Best
        Today's Special
        Tonight's the Night
        The Daily Show
        Twice Monthly newsletter design
        Move to the Beat
        Move to trash
        Push to main
        Push to talk
        Change to dark mode
        Shift to electric
        Swap to oat milk
        Postpone nothing
        From Dusk Till Dawn
        From Russia with Love
        From Here to Eternity
        Till Death Us Do Part
        Between Two Ferns
        Between the Lines
        9 to 5 by Dolly Parton
        Nine to Five musical
        Five to nine hustle
        Late Night with Conan
        Early Christian art
        Late Spring film
        Early Summer by Ozu
        Late Autumn
        Memorial Day parade
        Labor Day Weekend Classic golf
        Easter Weekend Sale
        24 Hour Party People
        48 Hours to Acapulco
        127 Hours
        28 Days Later
        7 Day Theory
        3 Day Novel Contest
        12 Hour Shift
        5 Minute Crafts
        30 Minute Meals
        60 Second Docs
        Five Year Engagement
        Seven Year Itch
        Ten Day MBA
        "Monday, Monday"
        “Friday Night”
        Song 'Sunday' chords
        Flight 93
        Room 237
        Room 1408
        Apollo 13
        District 9
        Route 66
        Blink 182
        Maroon 5
        Sum 41
        Party of Five
        Party of 10
        Rule of Thirds
        House of Cards
        Game of 24
        3 of 5 stars
        Best of 7
        Line up
        As good as new
        Or else
        Now or never
        Sooner or later
        Before or after
        Within Temptation
        Within reason
        Not before coffee
        Last day of summer
        Every Day by Levithan
        Every Other Weekend
        Once a Thief
        Twice Upon a Time
        3x3 grid layout
        2x daily vitamins
        Extension 4401
        Form 1040 instructions
        Case 39
        Bus 42 timetable
        """
}
