"""The parts of `bench/gpu_judge.py`: each is given a judge with a card and answers with what it measured."""
