return clock('waiting')
