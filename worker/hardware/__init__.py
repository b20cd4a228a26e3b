"""What is known of cards without having one: datasheet rates, limits of a multiprocessor, the roofline.

Pure data and arithmetic on the standard library, so that the server's calculators and the worker's diagnosis
say the same.
"""
