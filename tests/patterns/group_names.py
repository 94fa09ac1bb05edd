"""Names of the groups of the evidence and of the context, as the twins have them."""

GROUP_NAMES = (
    "last",
    "before",
    "contact",
    "capture",
    "extension",
    "self-atari",
    "atari",
    "links",
    "ko",
    "line",
    "ladder",
)
CONTEXT_NAMES = (
    "pair",
    "gap",
    "third",
    "contact",
    "line",
    "capture",
    "atari",
    "nearby",
    "template",
    "answer",
    "follow-up",
)
