"""One peer in a process of its own: `worker.py PEER CHECKPOINT WORK THREADS`, then a request a line, an answer a line.

    {"set": "texts", "texts": [...]}       keeps a workload; or of ids: "rows": [[101, ...]]   -> {}
    {"answer": "texts"}                    what the model says                                 -> {"outputs": [[...]]}
    {"tune": "texts"}                      finds the engine's best batches for this workload    -> {"tuned": "1024 tokens"}
    {"time": "texts", "seconds": 0.5}      passes over the workload for so long, one at least  -> {"wall": [...], "cpu": [...]}
    {"memory": true}                       the most memory that was resident                   -> {"peak": bytes}

berth_worker.cpp speaks the same.
"""

import json
import sys
import time

from model import Model
from peers import PEERS


BATCH_TOKENS = (128, 256, 512, 1024, 2048, 4096)  # padded tokens of a batch: what is tried for the best setting


def peak_bytes():
    # Not getrusage's: a child begins with what its parent had.
    lines = open("/proc/self/status").read().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


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

    def timed(name, seconds):
        wall, cpu = [], []
        while sum(wall) < seconds:
            start, start_cpu = time.perf_counter(), time.process_time()
            run(name)
            wall.append(time.perf_counter() - start)
            cpu.append(time.process_time() - start_cpu)
        return {"wall": wall, "cpu": cpu}

    def tune(name):
        if not peer.best:
            return ""
        speed = {}
        for tokens in BATCH_TOKENS:
            peer.batch_tokens = tokens
            run(name)
            speed[tokens] = min(timed(name, 0.5)["wall"])
        peer.batch_tokens = min(speed, key=speed.get)
        return f"{peer.batch_tokens} tokens"

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
        elif "tune" in request:
            reply({"tuned": tune(request["tune"])})
        elif "time" in request:
            reply(timed(request["time"], request["seconds"]))
        else:
            reply({"peak": peak_bytes()})


main()
