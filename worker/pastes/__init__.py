"""What members bring that was written for elsewhere: LeetGPU's `solve`, Tensara's `solution`, KernelBot's Python, a
torch extension, a program with `main`.

`look_at(source, problem)` recognises it after comments and strings are taken out. Where the host function does no
more than launch kernels with numbers that follow from the sizes, it becomes launch lines (`adapt.py`). The kernels
stay to the letter, on their lines, and every number is computed both ways, as C++ does and as the launch line does,
for every shape that will run. Everything else is told and not touched.
"""

from worker.pastes.recognise import Adapted, Told, look_at

__all__ = ["Adapted", "Told", "look_at"]
