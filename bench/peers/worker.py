"""One peer on one workload, in a process of its own: prepares, answers once, then repeats when told to, and reports its processor time. Run by peers.py:
worker.py PEER WORKLOAD INPUT.json

A peer is a module peer_<name>.py with
  versions()                         names and versions, as one line
  prepare(workload, inputs)          returns (run, members): run() computes the final values of the first so many members, as columns; for `indices` first and total
                                     indices and the ends of their intervals
Input: {"steps": …, "h": …, "columns": {parameter: values}, …}. catalog.py says which workloads it has. What a user writes stands between `# user: WORKLOADS` and `# end`.
"""
import importlib
import json
import os
import resource
import sys
import time


def processor_seconds():
    """Of this process and of what it started and waited for (compilers)."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def peak_memory():
    """MiB of this process since it was started."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def main(peer, workload, path):
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # a library that greets its user does not disturb

    def say(**what):
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    with open(path) as file:
        inputs = json.load(file)
    module = importlib.import_module(f"peer_{peer}")
    run, members = module.prepare(workload, inputs)
    answer = [[float(x) for x in column] for column in run()]
    cold = processor_seconds()
    say(cold=cold, members=members, answer=answer, memory=peak_memory(), versions=module.versions())
    for _ in sys.stdin:  # a line: once more
        begin = processor_seconds()
        run()
        say(seconds=processor_seconds() - begin, memory=peak_memory())


if __name__ == "__main__":
    main(*sys.argv[1:])
