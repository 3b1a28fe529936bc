"""Frames: the closed set of sentences and marks in which a value stands and is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# --- Frames: the closed set of sentences in which a value stands and is meant ---
# Prose may negate a value, put a condition on it, doubt it, ask for it or quote it in more ways
# than a list could name.  So a value is read only from a text in which every sentence is of these
# tables.

#: What stands for a value in a text whose frame is looked up: as it is, or in quotes.
_BARE, _QUOTED = "\x00", "\x01"
_VALUE = f"[{_BARE}{_QUOTED}]"

_NOUN = (
    "(?:answer|response|result|output|verdict|decision|choice|selection|conclusion|judge?ment"
    "|classification|label|category)"
)
_TITLE = rf"(?:(?:the|my) )?(?:(?:final|correct|right) )?{_NOUN}"
_CHOICE = "(?:choose|pick|select|answer|say|vote|vote for|go with)"
_POLITE = "(?:sure|certainly|of course|ok|okay|understood|got it)"
_AS = "(?:classify|rate|label) (?:it|this|that)(?: as)?"

#: The kinds of sentences, in small letters and without emphasis: `c` says the value, `t` announces
#: it, `h` announces it and may follow the politeness of `s`, `x` ends the text.  The sentences of
#: `d` say the value, too, but may go on where a value such as `a` or `not` ends them, or mean
#: something else, as "I pass" does.  Quotes that may be ironic are left out.
_SENTENCES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("c", rf"{_VALUE}[.!]?"),
        ("c", rf"{_TITLE} ?= ?{_VALUE}[.!]?"),
        ("c", rf"{_VALUE} is (?:the|my) {_NOUN}[.!]?"),
        ("d", rf"(?:(?:so|thus|therefore|hence),? )?{_TITLE} is {_VALUE}[.!]?"),
        ("d", rf"(?:it|this|that)(?: is|'s) {_BARE}[.!]?"),
        ("d", rf"the (?:statement|claim) is {_BARE}[.!]?"),
        ("d", rf"i {_BARE}(?: (?:it|this|that))?[.!]?"),
        ("d", rf"{_BARE} (?:it|this|that)[.!]?"),
        ("d", rf"i (?:{_CHOICE}|{_AS}) {_VALUE}[.!]?"),
        ("t", rf"(?:#{{1,6}} )?{_TITLE}(?: is)? ?:?"),
        ("h", rf"(?:{_POLITE}, )?here(?: is|'s) (?:the|my|your)(?: final)? {_NOUN}[.!:]?"),
        ("h", rf"(?:{_POLITE}, )?here (?:you are|you go|it is)[.!:]?"),
        ("s", rf"{_POLITE}[.!]?"),
        ("x", r"(?:i )?hope (?:this|that|it) helps[.!]?"),
        ("x", r"let me know if (?:this|that) helps[.!]?"),
        ("x", r"let me know if you (?:need anything else|have any (?:other )?questions)[.!]?"),
        ("x", r"(?:thanks|thank you|done)[.!]?"),
    )
)
_SAYS = re.compile(r"(?:sh|[htcd])*[cd]x?")
_SAYS_NOTHING = re.compile(r"[sht]*x?")

#: Values behind which a sentence that is cut off would go on.
_GOING_ON = frozenset(
    (
        *("a", "an", "the", "not", "and", "or", "nor", "if", "is", "be", "as", "at", "by", "for"),
        *("from", "in", "into", "of", "on", "to", "with", "do", "don't", "does", "doesn't", "did"),
        *("didn't", "can", "can't", "cannot", "could", "may", "might", "must", "shall", "should"),
        *("will", "won't", "would"),
    )
)

#: Values with which "I …" says that there is no answer.
_ABSTAINING = frozenset(("pass", "skip"))

_TOKEN = re.compile(r"\w+(?:['’-]\w+)*")
_FIRST = re.compile(r"[^\w'’-]")
_GOES_ON = re.compile(r"[\w]|['’-]\w")
_BREAK = re.compile(r"(?<=[.!])\s+|(?<=:)\s*|\n")
#: The names behind the beginning of a fence that say nothing of a word or number in it.
LANGUAGES = frozenset(
    ("", "json", "json5", "jsonc", "js", "javascript", "python", "py", "text", "txt")
)
_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*([\w+.-]*)")

#: What stands around a value or a sentence and does not change what is said.
_MARKUP: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"(?<!\w)(\*{1,3}|`)(?=[^\s*`])([^*`\n]+)(?<=\S)\1(?!\w)", r"\2"),
        (rf"[\"“”„]{_BARE}([.!]?)[\"”“]|['‘’‚]{_BARE}([.!]?)['’‘]", rf"{_QUOTED}\1\2"),
        (rf"\({_VALUE}\)|\\(?:boxed|text)\{{{_VALUE}\}}|\${_VALUE}\$", _QUOTED),
        (rf"<(answer|final_answer|result|output|response)>\s*({_VALUE}[.!]?)\s*</\1>", r"\2"),
    )
)
#: How often markup may stand in markup.
_LAYERS = 3


#: Words that deny what comes behind them, as any word that ends in `n't` does.
_DENYING = frozenset(("not", "never", "cannot", "avoid", "without", "except", "unlike"))

#: Words that may stand between such a word and a list or an object that it denies.
_BETWEEN = frozenset(
    (
        *("use", "using", "send", "sending", "return", "returning", "give", "write", "submit"),
        *("output", "respond", "reply", "say", "pass", "produce", "do", "be", "with", "this"),
        *("that", "the", "following", "a", "an", "it", "like", "as", "to", "any", "object", "list"),
        *("json", "value", "answer", "result", "form", "format", "something", "just", "ever"),
    )
)
_CLAUSE = re.compile(r"[.!?;,\n]")
#: A part of each word or phrase that denies.
_MAY_DENY = re.compile(r"not|n['’]t|never|avoid|with|except|unlike|instead|rather", re.IGNORECASE)
#: Streams keep no more of the text before a bracket.
_LONGEST_DENIAL = 40


def find_only_word(text: str, words: Mapping[str, Any]) -> tuple[Any] | None:
    """Return the value of the only one of *words* in *text*, as a 1-tuple, or None.

    *words* has values by their words in small letters.  Returns None if there are several, or none,
    or if anything else stands in *text* than the sentences of this module.

    >>> find_only_word("The answer is Yes.", {"yes": "yes", "no": "no"})
    ('yes',)
    """
    found, framed = _mark_words(text.casefold(), words)
    if len(found) != 1:
        return None
    (word,) = found
    kinds = []
    for sentence in _split_sentences(framed):
        kind = _get_sentence_kind(sentence)
        if kind == "d" and _may_differ(sentence, word, text):
            return None
        kinds.append(kind)
    return (words[word],) if _SAYS.fullmatch("".join(kinds)) else None


def is_denial(before: str) -> bool:
    """Whether *before*, the text before a list or an object, directly denies it.

    >>> is_denial("Don't use "), is_denial("I did not find more: ")
    (True, False)
    """
    if _MAY_DENY.search(before[-_LONGEST_DENIAL:]) is None:
        return False
    clause = _CLAUSE.split(before[-_LONGEST_DENIAL:].rstrip())[-1]
    small = " ".join(clause.casefold().replace("’", "'").split())
    small = small.replace("instead of", "not").replace("rather than", "not")
    for word in reversed(_TOKEN.findall(small)):
        if word in _DENYING or word.endswith("n't"):
            return True
        if word not in _BETWEEN:
            return False
    return False


def is_filler(text: str) -> bool:
    """Whether *text*, found around a value, only introduces or concludes that value.

    >>> is_filler("Here is the answer:"), is_filler("This is wrong:")
    (True, False)
    """
    kinds = [_get_sentence_kind(sentence) for sentence in _split_sentences(text.casefold())]
    return _SAYS_NOTHING.fullmatch("".join(kinds)) is not None


def _mark_words(small: str, words: Mapping[str, Any]) -> tuple[set[str], str]:
    """Find *words* in the text *small*; return them, and the text with placeholders."""
    by_first: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        by_first.setdefault(_FIRST.split(word, maxsplit=1)[0], []).append(word)
    found: set[str] = set()
    parts: list[str] = []
    end = 0
    if _BARE in small or _QUOTED in small:
        return found, small
    for token in _TOKEN.finditer(small):
        place = token.start()
        for word in by_first.get(token[0], ()) if place >= end else ():
            if small.startswith(word, place) and not _GOES_ON.match(small, place + len(word)):
                found.add(word)
                parts.extend((small[end:place], _BARE))
                end = place + len(word)
                break
    return found, "".join((*parts, small[end:]))


def _split_sentences(text: str) -> list[str]:
    """Split *text* into lower-case sentences, without markup and code fences."""
    for _ in range(_LAYERS):
        for pattern, instead in _MARKUP:
            text = pattern.sub(instead, text)
    lines = [line.strip() for line in text.replace("’", "'").split("\n")]
    fences = {at: found[1] for at, line in enumerate(lines) if (found := _FENCE.fullmatch(line))}
    if len(fences) == 2 and LANGUAGES.issuperset(fences.values()):
        for at in fences:
            lines[at] = ""
    parts = [" ".join(part.split()) for part in _BREAK.split("\n".join(lines))]
    return [part for part in parts if part]


def _get_sentence_kind(sentence: str) -> str:
    """Return the kind letter of *sentence*, or `?` if no known pattern matches."""
    for kind, pattern in _SENTENCES:
        if pattern.fullmatch(sentence):
            return kind
    return "?"


def _may_differ(sentence: str, word: str, text: str) -> bool:
    """Whether *word* in *sentence* may not be the answer, or may be cut off."""
    if word in _ABSTAINING and sentence.startswith((f"i {_BARE}", f"{_BARE} ")):
        return True
    is_letter = len(word) == 1 and re.search(rf"(?<!\w){word.upper()}(?!\w)", text) is not None
    return sentence[-1:] == _BARE and word in _GOING_ON and not is_letter


# --- Patterns of the marks that stand around JSON values in the text of a model ---

_TAGS = (
    "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|inner_monologue"
    "|antthinking"
)
#: Patterns of the tags around thoughts.
THOUGHT_BEGINS = rf"<(?:{_TAGS})>|\[THINK\]"
THOUGHT_ENDS = rf"</(?:{_TAGS})>|\[/THINK\]"

MARK = re.compile(
    rf"(?P<thought>{THOUGHT_BEGINS})"
    r"|(?P<open>[\[{])"
    r"|(?P<fence>^[ \t]*(?P<ticks>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[ \t]*\r?\n)"
    rf"|(?P<closed>{THOUGHT_ENDS})"
    r"|(?P<token><\|[\w ]{1,40}\|>|</?s>|<(?:eos|bos|end_of_turn|start_of_turn)>)"
    r"|(?P<comment>^[ \t]*(?://|\#)[^\n]*|/\*|<!--)"
    r"|(?P<stray>[}\]])",
    re.MULTILINE | re.IGNORECASE,
)
THOUGHT = re.compile(rf"<(/?)(?:{_TAGS})>|\[(/?)THINK\]", re.IGNORECASE)
CLOSED_THOUGHT = re.compile(THOUGHT_ENDS, re.IGNORECASE)
BRACKETS = re.compile(r"[\[\]{}]")
JSON_BEGINS = re.compile(r"\s*(?:[\[{\"'“]|```)")
KEY_BEFORE = re.compile(r"[\"”]\s*:\s*\Z")
#: References to notes, boxes of a list of tasks, and empty brackets, which stand in prose.
NO_VALUE = re.compile(r"\[(?:[0-9]{1,3}(?:, ?[0-9]{1,3})*|[ xX]?)\]|\{\s*\}")
#: The end of a path with a star, as in `src/*`.
IN_PATH = re.compile(r"[\w.*-]/\*")
INDEX = re.compile(r"\[[^\[\]{}\n]{0,80}\]")
INTRODUCED = re.compile(r"(?:^|[:=>`*]|\b(?:is|are|be)[ \t])[ \t]*\Z", re.MULTILINE)
BLANK = re.compile(r"\s*")
#: What may stand between brackets that are alone on a line and the end of the line.
ALONE = re.compile(r"[ \t]*(?:\Z|[\r\n.;`)<]|//|#[ \t]|/\*)|[\s}\],]*+(?:\Z|```)")
#: Brackets that close nothing, up to the end of the text or fence.
SURPLUS = re.compile(r"[\s}\],]*+(?=\Z|```)")
REMARK = re.compile(r"[ \t]*(?://|#[ \t])[^\n]*")
REMARKS = re.compile(r"\s*+(?:(?://|#)[^\n]*+|/\*.*\*/|<!--.*-->)?\s*+", re.DOTALL)
#: A clause behind a comma that is no other value, key or list, and leaves nothing out.
CLAUSE = re.compile(r"[^\W\d][^{}\[\]\":=…0-9]*+\Z")
LEAVING_OUT = re.compile(
    r"\.\.\.|\b(?:etc|more|others?|rest|so on|so forth|further|additional|continued)\b"
    r"|\A(?:true|false|null|none|undefined|or|but|not|and|plus|also|then|with|as well)\b"
    # One word could be another item.
    r"|\A\S*\s*\Z",
    re.IGNORECASE,
)
#: What may stand between two values that are side by side.  Without a comma before it, `#` may
#: begin a heading.
_REMARK_BETWEEN = r"//[^\n<]*+\n|/\*(?s:.*?)\*/"
GAP = re.compile(
    rf"(?:\s++|{_REMARK_BETWEEN})*+"
    rf"(?:(?P<comma>,)(?:\s++|{_REMARK_BETWEEN}|\#(?=[\s!\#])[^\n<]*+\n)*+)?(?=[\[{{])"
)
#: Text behind a list that may go on with it.
GOES_ON = re.compile(
    r"\.\.\.|…|[0-9\[{]|\b(?:etc|and so (?:on|forth)|others?|rest|further|additional"
    r"|(?<!nothing )(?<!no )more)\b",
    re.IGNORECASE,
)
#: The end of a fence with fewer marks than its beginning.
SHORT_FENCE = re.compile(r"[`~]{1,2}\s*\Z")
CLOSING = {"[": "]", "{": "}"}
COMMENT_ENDS = {"/*": "*/", "<!--": "-->"}

#: How many characters before a bracket are looked at.
BEFORE = 40
