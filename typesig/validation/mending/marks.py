"""Patterns of the marks that stand around JSON values in the text of a model."""

from __future__ import annotations

import re

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
