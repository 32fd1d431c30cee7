/// The words of generated passphrases, and of the estimate of typed ones.
///
/// 1,024 common English words of three to seven letters, collected for this project; each one is worth
/// ten bits. Changing the list changes no existing passphrase.
enum WordList {
    static let words: [String] = text.split(whereSeparator: \.isWhitespace).map { String($0) }

    private static let text = """
        able acid acorn acre actor adapt adult advice afraid again agent agree ahead alarm album
        alert alien alive alley allow alloy almond alone alpha alpine amber amount ample anchor
        angle animal ankle annual answer antler anvil apple apron arbor arch arctic arena argue
        armor army aroma arrow artist ashore aside aspen atlas atom attic audio august aunt author
        autumn avenue avoid awake award aware away awful axis baby back bacon badge badger bagel
        bake ball ballad bamboo banana band banjo bank banner barley barn barrel basic basil basin
        basket batch bath bazaar beach beacon beads beak beam bean bear beauty beaver become
        beetle before begin behave behind bell belong below belt bench berry beside better beyond
        bingo birch bird bishop bison bitter blade blend blind block bloom blue board boat body
        bold bolt bonus book boot border borrow bottle bottom bounce bowl branch brass brave bread
        breeze brick bridge brief bright bring broad bronze brook broom brown brush bubble bucket
        buckle budget bugle build bulb bulk bundle bunker burger bush busy butter button cabin
        cable cactus cake calm camel camera camp canal candle candy cannon canoe canvas canyon
        carbon card cargo carpet carrot carry cart carve case castle casual catch cattle cause
        cave cedar celery cellar cement cereal chain chair chalk chance change chapel charm chart
        chase cheek cheese cherry chess chest chief child chili choir choose chorus cider cinema
        circle circus citrus city civil claim clam clay clean clever cliff climb clinic clock
        close cloth cloud clover clown club coach coast coat cobalt cobra cocoa code coffee coin
        cold collar color column comet comic common copper coral core cork corner cotton couch
        cough count couple course cousin cover coyote crab cradle craft crane crater crayon cream
        creek crew crisp crop cross crowd crown cruise crumb crust cube cuckoo curl curve custom
        cycle cymbal daily dairy daisy damp dance danger dark dash data date dawn decade deck deep
        deer defend degree delta demand denim dense depend depth desert design desk detail device
        dial diary diesel digit dinner direct dish ditch dive dizzy doctor dollar domain donkey
        donor door double dough dove down dozen dragon drama draw dream dress drift drill drink
        drive drop drum duck dune during dusk dust duty eager eagle early earn earth easel east
        easy echo edge editor effort eggs eight elbow elder eleven elite else ember empty enable
        enamel engine enjoy enough ensure enter entire entry epic equal errand escape essay even
        event every exact excess exist exit exotic expand expert extra fabric face factor fade
        faint fair fairy faith falcon fall family famous fancy farm father fault favor feast felt
        fence fern ferry fever fiber field fifty figure film filter final finch find finger finish
        fire firm first fish five flag flame flash flat flavor fleet flint float flock flood floor
        flour flower fluid flute foam focus foil fold folk follow food foot forest forget fork
        form fort forum fossil found frame free fresh friend frog front frost fruit fuel full
        funnel future gadget galaxy gallon game garage garden garlic gate gather gauge gear gecko
        gentle ghost giant gift ginger girl give glad glance glass glide globe glove glow glue
        goal goat gold golf gong good goose gorge gospel gown grace grain grand grape graph grass
        gravel gravy great green grid grill grin grip grocer group grove grow guard guess guest
        guide guitar gulf gust habit hail hair half hall hammer hand handle happy harbor hard harp
        have hawk hazel head health heart heat heavy hedge heel height helmet help herb hero heron
        hidden high hill hinge hint hobby hockey hold hole hollow home honest honey hood hook hope
        horn horse hotel hour house hover human humble humor hungry hunt hurdle hurry husky icon
        idea idle igloo image impact import inch income index indigo infant inform inner input
        insect inside invite iris iron island ivory jacket jaguar jazz jelly jewel join joke judge
        juice jump jungle junior jury just kayak keen keep kernel kettle kick kidney kind king
        kiosk kite kitten kiwi knee knife knight knot know koala label labor lace ladder lady lake
        lamb lamp land lane large laser last late laugh launch lava lawn layer leader leaf learn
        leave left legal legend lemon lend length lens lentil lesson letter level lever life lift
        light lilac lily lime limit linen link lion liquid list listen little lizard lobby local
        locket lodge logic lonely long look loop lotus loud lounge love loyal lucky lumber lunar
        lunch lyric magic magnet maid mail main major mammal manage mango manor maple marble march
        margin marine market marsh mason mast match matrix matter meadow meal medal media melody
        melon member memory mentor menu merit metal meteor method middle mild mile milk mill minor
        mint minute mirror mist mitten mobile model modern modest moment money monkey month moon
        moose mosaic moss motel mother motion motor mount mouse mouth move movie much muffin mule
        muscle museum music myth napkin narrow nation native nature near neat neck needle nephew
        nerve nest never nickel night nimble nine noble noise noodle noon normal north nose note
        novel number nurse oasis object oboe ocean offer office often olive omega once onion only
        onyx open opera optic orange orbit orchid order organ origin other otter ounce outer oval
        oven over oxygen oyster ozone paddle page paint pair palace palm panda panel paper parade
        parcel parent park parrot part party pasta patch path patio patrol pause peace peach peak
        peanut pear pearl pebble pencil pepper period permit piano picnic pier pigeon pillow pilot
        pine pink pipe pirate pitch pizza place plain planet plank plant plate play plaza please
        plenty plow plum plural pocket poem poet point polar pole police polish polite pond pony
        pool poplar porch port possum poster potato pound powder power prefer pretty price pride
        prime prince print prism private prize profit project proof proud public pudding puddle
        pull pulse puma pump pumpkin pupil puppet puppy pure purple purse puzzle pyramid quail
        quartz queen quest quick quiet quill quilt quince quiz quote rabbit raccoon race radar
        radio raft rail rain raisin ranch random range rapid rare raven razor reach ready real
        reason recipe record reef region relax remain remind
        """
}
