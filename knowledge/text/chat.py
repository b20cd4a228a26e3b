"""Chat spelling as a page would write it: whats, w/o, attn and 咋 spelled out, greetings and thanks left out.

A page says neither `thx` nor 求问, and a word that no page says looks like the subject of a question. Only
questions are read so: pages are indexed as they stand. Short forms that mean something in the field (`ID`, `R`,
`def`, `pt`) are left alone.
"""

from __future__ import annotations

import re

from knowledge.text.language import HAN

_SHORT = {
    "whats": "what is", "what's": "what is", "wheres": "where is", "hows": "how is", "whos": "who is",
    "whys": "why is", "whens": "when is", "thats": "that is", "theres": "there is",
    "dont": "do not", "doesnt": "does not", "didnt": "did not", "cant": "cannot", "couldnt": "could not",
    "wont": "will not", "wouldnt": "would not", "shouldnt": "should not", "isnt": "is not", "arent": "are not",
    "wasnt": "was not", "werent": "were not", "hasnt": "has not", "havent": "have not", "im": "I am",
    "ive": "I have", "youre": "you are", "theyre": "they are", "u": "you", "ur": "your", "gonna": "going to",
    "wanna": "want to", "gotta": "have to", "w/o": "without", "w/": "with", "thru": "through", "tho": "though",
    "bc": "because", "cuz": "because", "coz": "because", "btwn": "between", "abt": "about", "ppl": "people",
    "smth": "something", "sth": "something", "kinda": "", "sorta": "", "rly": "really", "esp": "especially",
    "approx": "approximately", "atm": "now", "rn": "now", "info": "information", "ver": "version",
    "pls": "", "plz": "", "please": "", "thx": "", "thanks": "", "tysm": "", "cheers": "", "lol": "", "lmao": "",
    "haha": "", "idk": "", "dunno": "", "btw": "", "fyi": "", "imo": "", "imho": "", "tbh": "", "afaik": "",
    "iirc": "", "ngl": "", "hmm": "", "umm": "", "uh": "", "hey": "", "hello": "", "guys": "", "folks": "",
    "sorry": "", "noob": "", "newbie": "", "eli5": "",
}  # fmt: skip
_OF_THE_FIELD = {
    "attn": "attention", "fwd": "forward", "bwd": "backward", "perf": "performance", "param": "parameter",
    "params": "parameters", "impl": "implementation", "mem": "memory", "bw": "bandwidth", "lr": "learning rate",
    "bs": "batch size", "freq": "frequency", "reg": "register", "regs": "registers", "regfile": "register file",
    "arch": "architecture", "lib": "library", "libs": "libraries", "func": "function", "funcs": "functions",
    "dims": "dimensions", "quant": "quantization", "grads": "gradients", "ckpt": "checkpoint", "addr": "address",
    "ptr": "pointer", "ptrs": "pointers", "alloc": "allocation", "iter": "iteration", "iters": "iterations",
    "instr": "instruction", "instrs": "instructions", "seq": "sequence", "seqlen": "sequence length",
    "ops": "operations", "comms": "communication", "mult": "multiplication", "vars": "variables",
}  # fmt: skip
_WORD = re.compile(r"(?<![\w./'-])(?:w/o?(?![\w/])|[A-Za-z']+(?![\w./'(-]*[\w(]))", re.IGNORECASE | re.ASCII)
_OPENING = re.compile(
    r"^\W*(?:(?:quick|stupid|dumb|silly|basic|beginner|newbie|noob) q(?:uestion)?\b\W*"
    r"|(?:(?:does|do|did) )?(?:any|some)(?:one|body)(?: here)? knows?\b\W*"
    r"|(?:can|could) (?:any|some)(?:one|body)(?: please)? (?:explain|tell me)\b\W*"
    r"|any ideas?\b\W*|(?:just )?(?:wondering|curious)\b\W*)+",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(r"\bdiff\b(?=\s+(?:between|of|to|from)\b|\W*$)", re.IGNORECASE)

_COLLOQUIAL = {
    "为啥": "为什么", "为毛": "为什么", "干啥": "做什么", "干嘛": "做什么", "干吗": "做什么", "咋办": "怎么办",
    "咋样": "怎么样", "咋": "怎么", "啥": "什么",
}  # fmt: skip
_SPOKEN = re.compile("|".join(_COLLOQUIAL))
_HAIL = re.compile(
    r"^(?:(?:大佬们?|各位|大家好?|朋友们?|老师们?|同学们?|新手|小白|萌新|跪求|求助|求问|求教|请教|请问|想问|想知道"
    r"|弱弱地?问|(?:有没有|有|谁)人?知道|帮忙看看|救命|问(?=一?下))(?:一?下)?\W*)+"
)
_THANKS = re.compile(
    r"(?:(?:谢谢|多谢|感谢|谢啦|谢了)(?:大佬们?|大家|各位)?|\W(?:在线等|求解|求助|求教|大佬们?)|[啊呀呢嘛哈哦噢呗]|\W)+$"
)


def spelled_out(question: str) -> str:
    """The question without chat spelling; as it was where nothing would be left of it."""
    text = _OPENING.sub("", _WORD.sub(_full, question))
    text = _DIFFERENCE.sub("difference", text)
    text = _SPOKEN.sub(lambda found: _COLLOQUIAL[found.group()], text)
    return _without_hail(text).strip() or question


def _full(found: re.Match[str]) -> str:
    word = found.group()
    short = _SHORT.get(word if len(word) == 1 else word.lower())
    return _OF_THE_FIELD.get(word, word) if short is None else short


def _without_hail(text: str) -> str:
    """Without a beginning of hails and an end of thanks; an end of mere punctuation stays."""
    text = _HAIL.sub("", text)
    thanks = _THANKS.search(text)
    return text[: thanks.start()] if thanks and HAN.search(thanks.group()) else text
