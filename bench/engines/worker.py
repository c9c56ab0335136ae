"""One peer in a process of its own: `worker.py PEER CHECKPOINT WORK THREADS`, then a request a line, an answer a line.

    {"set": "stream", "texts": [...]} or {"set": "1x16", "rows": [[ids]]}   keeps a workload          -> {}
    {"answer": "stream"}                                                     what the model says       -> {"outputs": [[...]]}
    {"time": "stream", "seconds": 0.5}     passes over the workload for so long, one at least  -> {"wall": [...], "cpu": [...]}
    {"memory": true}                                                                           -> {"peak": bytes}

berth_worker.cpp speaks the same.
"""

import json
import resource
import sys
import time

from model import Model
from peers import PEERS


def main():
    peer_name, checkpoint, work, threads = sys.argv[1:]
    out, sys.stdout = sys.stdout, sys.stderr  # libraries print
    peer = PEERS[peer_name]()
    peer.load(Model(checkpoint, work), int(threads))
    workloads, tokenizer = {}, None

    def run(name):
        nonlocal tokenizer
        workload = workloads[name]
        if "rows" in workload:
            return peer.run(workload["rows"])
        if tokenizer is None:
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(f"{checkpoint}/tokenizer.json")
            tokenizer.no_padding()
            tokenizer.enable_truncation(512)
        return peer.run([encoding.ids for encoding in tokenizer.encode_batch(workload["texts"])])

    def reply(answer):
        print(json.dumps(answer), file=out, flush=True)

    reply({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        if "set" in request:
            workloads[request["set"]] = request
            reply({})
        elif "answer" in request:
            reply({"outputs": run(request["answer"]).tolist()})
        elif "time" in request:
            wall, cpu = [], []
            while sum(wall) < request["seconds"]:
                start, start_cpu = time.perf_counter(), time.process_time()
                run(request["time"])
                wall.append(time.perf_counter() - start)
                cpu.append(time.process_time() - start_cpu)
            reply({"wall": wall, "cpu": cpu})
        else:
            reply({"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024})


main()
