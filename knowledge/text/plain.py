"""Ordinary words that colour a question without being its subject: rare in a small library, yet they tell nothing.

A page need not say `popular`, `nowadays` or `horribly` to answer a question that does. English ones are listed, but
for words with a sense of their own in the field (block, share, launch, issue, commit, stall); a Chinese one is known
by its English name.
"""

from __future__ import annotations

_VERBS = """
accept achieve act adapt add affect afford agree aim allow announce answer appear apply argue arrive ask assume
attempt avoid bear become begin behave believe belong benefit better bother break bring build buy call care carry
cause change check choose claim close combine come compare complain concern conclude confirm confuse connect
consider consist contain continue contribute convince cope correspond cost cover create deal decide decrease
define deliver depend deserve destroy determine develop differ discuss dominate earn emerge employ encounter
enjoy enlarge ensure enter evaluate exist expect explain express face fail fall feel find finish fix follow
force forget form fill gain grow guess handle happen hear help hold hope hurt imagine improve include increase
indicate influence inspire intend introduce invent involve keep know lack last lead learn leave lie like
limit live look lose lower maintain make manage matter mean meet mention mistake notice obtain occupy occur
offer own pay perform pick place plan play please prefer prepare present prevent proceed produce prove provide put
raise reach realize receive recommend refer refuse rely remain remember remove repeat replace report resume
represent require resemble resolve respond rise satisfy save say see seem select sense set settle show
sit solve speak spend stand start stay stop suffer suggest suit suppose surprise take talk teach tell tend
think tie touch treat trigger trust try turn understand use vary want waste win wish wonder work worry wrap
happened gave given went gone got gotten took taken made done seen came became began begun chose chosen
broke broken brought bought built caught cost dealt drawn drew driven drove fell fallen felt fought found forgot
forgotten held kept knew known laid led left lent lost met paid proved proven ran risen said sent
shown shut sold spent spoke spoken stood stuck taught thought told understood won
handed wrote written
"""
_QUALITIES = """
able absolute acceptable accidental actual additional adequate advisable allowed alone alright amazing annoying
apparent applicable appropriate arbitrary authentic available awful awkward bad badly basic beautiful believable
best better big bigger biggest bold brief bright broad capable careful central certain characteristic cheap cheaper
clean clear clever close closer comfortable common complete complicated comprehensive concrete considerable
convenient correct costly crucial curious current dangerous dear decent deep deeper defined desirable detailed
different difficult direct distinct dramatic due early earlier earliest easier easiest easily easy effective
efficient elegant enormous enough entire equal essential evident exact excellent exceptional excessive exciting
expensive explicit extensive extra extreme fair familiar famous fancy fast faster fastest favourite favorite feasible
few fewer final fine firm fitting fortunate frequent fresh full fun fundamental further future general
generous gentle genuine giant good grand great handy happy hard harder harmful heavy helpful high higher highest
home-made homemade honest horrible huge ideal identical immediate immense impossible impressive
inevitable initial instead intended interesting just justified keen key large larger largest late later latest lazy
least less lesser light likely little long longer longest loud low
lower lowest lucky main major many massive maximum meaningful mere mild minor
modern modest more most much natural near nearby nearest necessary needed neighbouring new newer newest nice normal
notable obvious odd okay ok old older oldest only open ordinary original other overall own particular past perfect
permanent plain pleasant plenty plus poor popular possible potential powerful practical precise preferred present
previous primary principal prior probable problematic profound prominent proper pure quick quicker quiet radical
rapid rare raw ready real realistic reasonable recent recommended related relevant reliable remarkable required
respective responsible rich right rough sad safe satisfactory scary secondary sensible separate serious severe
sharp short shorter shortest significant silly similar simple simpler simplest slight slow slower slowest
small smaller smallest smart so-called solid sophisticated sound special specific spectacular standalone strange
strict striking strong stronger strongest stupid subsequent substantial subtle sudden sufficient suitable super
superior supposed sure surprising suspicious sweet tall terrible thick thin thorough tight tiny top total tough
traditional tricky trivial true typical ugly ultimate unable unclear unexpected unfortunate unlikely unnecessary
unusual usable useful useless usual valid valuable various vast visible vital weak weaker weird well whole wide
wider wise wonderful worse worst worth worthwhile wrong
"""
_MANNERS = """
actually ahead almost already alternatively altogether always anyway anywhere apart approximately around aside
away back barely basically briefly carefully certainly clearly completely considerably consequently correctly
currently definitely deliberately directly dramatically effectively else elsewhere entirely especially essentially
eventually everywhere exactly exclusively explicitly extremely fairly finally frequently fully furthermore
generally gradually greatly happily hardly heavily hence highly hopefully horribly however immediately importantly
increasingly indeed inevitably initially instantly instead internally largely lately lightly literally mainly
maybe meanwhile merely moreover mostly namely naturally nearly necessarily never nevertheless newly nonetheless
linearly
normally notably nowadays nowhere obviously occasionally often oppositely originally otherwise particularly partly
per perfectly perhaps permanently physically possibly potentially practically precisely previously primarily probably
properly quickly quite rapidly rarely rather readily really reasonably recently relatively roughly sadly safely
scarcely seldom separately seriously severely sharply shortly significantly similarly simply simultaneously
slightly slowly somehow sometimes somewhat somewhere soon specifically steadily still strictly strongly
subsequently substantially suddenly sufficiently surely surprisingly terribly therefore though thoroughly thus
together today tomorrow totally truly twice typically ultimately unfortunately unless usually wholly widely wildly
yesterday yet afterwards against along although among anymore anyhow beyond despite besides everyone everything
everybody nobody nothing none someone something anything anybody according regarding concerning considering given
inside outside within without toward towards upon via versus whatever whenever wherever whoever whichever
"""
_ABSTRACTIONS = """
ability action advantage advice aim amount aspect assumption attention background basis behaviour behavior belief
benefit bunch case category cause chance character choice circumstance combination concept conclusion
condition consequence consideration contrast couple course criterion danger day deal decision degree detail
difference difficulty disadvantage discussion distinction downside drawback effect effort everything
evidence example expectation experience explanation extent fact factor fashion fault feeling figure form
friend fun goal group guidance guide habit hand help hint idea impact implication importance impression
improvement inspiration instance intention interest item job kind kinds knowledge lack list lot lots luck
majority man manner matter meaning means mechanism merit mind minority mistake moment money motivation name nature
need notion number objective occasion opinion opportunity option origin outcome paragraph part particularity
people percentage person perspective phenomenon piece pitfall place point possibility practice preference
pro problem pros cons procedure property proportion purpose quality quantity question reality reason
recommendation relation relationship remark requirement respect responsibility rest result risk role room
sake scenario secret section sense side sign significance similarity situation solution sort source start
statement step stuff style subject substance success suggestion surprise tendency term thing things time times tip
tips topic total trade-off tradeoff treatment trend trick trouble truth type types understanding upside usage use
variety version view way ways weakness week word words world worry year years yield anyone nowadays kid guy folks
one two three four five six seven eight nine ten first second third once
"""

PLAIN = frozenset(f"{_VERBS} {_QUALITIES} {_MANNERS} {_ABSTRACTIONS}".split())


_ENDINGS = (
    *(("ied", "y"), ("ies", "y"), ("ily", "y"), ("ing", ""), ("ing", "e")),
    *(("ed", ""), ("ed", "e"), ("es", ""), ("s", ""), ("ly", "")),
)


def is_plain(english: str) -> bool:
    """A word, or several, that everyday English is full of."""
    return bool(english) and all(map(_known, english.lower().split()))


def _known(word: str) -> bool:
    """Itself or what it is a form of: invented, comparing, tries, linearly."""
    return word in PLAIN or any(
        word.endswith(ending) and word.removesuffix(ending) + base in PLAIN for ending, base in _ENDINGS
    )
