"""Words that carry no subject, in both languages: the keyword leg neither indexes nor asks for them."""

from __future__ import annotations

_ENGLISH = """
a about above after again all also am an and any anyone are as at be because been before being below between
both but by can cannot could did do does doing done down during each either else ever every few for from
further get gets give given go had has have having he her here hers him his how i if in into is isn it its
itself just let like ll make many may me might more most much must my need no nor not of off on once one only
onto or other our out over own please really s same she should show so some such t tell than that the their
them then there these they this those through to too under until up upon us use used uses using very was way
we were what when where whether which while who whom whose why will with within without would you your usually
"""

_CHINESE = """
的 地 得 了 着 过 和 与 及 或 或者 以及 并 并且 而 而且 但 但是 不过 然而 因为 所以 因此 如果 那么
虽然 于是 则 即 是 不是 是不是 是否 有 没有 没 有没有 在 把 被 给 让 使 对 对于 关于 由 从 到 向 往
以 用 为 于 之 其 这 那 这个 那个 这些 那些 这里 那里 这样 那样 它 它们 我 我们 你 你们 他 他们 自己
什么 怎么 怎么样 怎样 如何 为什么 为何 多少 几 哪 哪个 哪些 哪里 哪儿 谁 何时 请问 请 一下 能 能够
能不能 可以 可 可否 会 会不会 要 需要 应 应该 应当 该 必须 也 都 就 还 又 再 才 只 只有 很 更 最 太
非常 比较 不 不能 不会 吗 呢 吧 啊 呀 嘛 么 上 下 里 中 内 外 时 时候 后 前 之后 之前 一个 一种 一些
一样 等 等等 个 种 些 次 各 每 每个 所有 任何 其他 其中 通过 根据 按照 来 去 做 干 说 讲 介绍 一般
通常 大概 大约 主要 意思 作用 区别 不同 东西 情况 问题 有什么 是什么 有哪些 具体 例如 比如 所谓 称为
叫 叫做 进行 使用 可能 以下 上面 下面 如下 同时 只要 只能 已经 当 当中 此 此时 某 某个 另 另外
哪种 哪一 哪一年 哪年 哪一个 第几 多大 多久 多长 多快 多高 几个 几种 出来 出现
怎么办 什么样 还要 不要 不用 几倍 多少倍 别的 里面 外面 的话 除了 用来 反而 总共 同一个 一句 相比 拿来
名字 真的 一定 一起 下来 起来 怎 样 干什么 干嘛 意味着 有何 用处 到底 究竟 其实 分别 以及 还是 还有 自己 并不
之间
"""

ENGLISH = frozenset(_ENGLISH.split())
CHINESE = frozenset(_CHINESE.split())
