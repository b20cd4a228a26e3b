"""Why is it wrong? From the small cases of a wrong kernel to one explanation, or none.

Start in `explain.py`: it asks one group of patterns after the other, the most telling first, within a budget.
`seen.py` has the data: a `Run` is a case with its inputs, the right and the wrong numbers; `Seen` looks at it through
one output; `Trouble` is all of them. Nothing here runs a kernel: what the emulator noted (which line stored an
element, which operation made the first NaN) comes along with the runs.

| file | asks |
| --- | --- |
| `unwritten.py` | did nobody write it, and does the kernel know its block? |
| `of_numbers.py` | NaN, infinity, a type too narrow, another rounding? |
| `of_output.py` | right numbers at wrong places, a copy, another formula? |
| `of_amounts.py` | a factor, an amount, a factor for each row? |
| `of_inputs.py` | what would be right if an input were read otherwise? The problem's reference answers |
| `left_out.py` | of a sum: an end, a start, a part of each tile? |
| `places.py` | which elements are wrong, in which cases? |

Another pattern is a row of a table or a function in one of these, its words in content/findings.toml, and three bugs
in tests/wrong/tuned.toml.
"""
