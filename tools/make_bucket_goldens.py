#!/usr/bin/env python3
"""Makes tests/data/encoder/buckets.json: which bucket each distance falls into, as Transformers computes it.

    python tools/make_bucket_goldens.py > tests/data/encoder/buckets.json

Needs transformers 4.57.6 and torch 2.15.0. A row is [first distance, bucket]: the bucket holds until the next row.
"""

import json

import torch
from transformers.models.deberta_v2.modeling_deberta_v2 import make_log_bucket_position
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

# buckets, max_relative_positions and how far apart two tokens can be
DEBERTA = [(256, 512, 511), (256, 4096, 4095), (32, 128, 599), (8, 40, 39), (10, 50, 299), (320, 1024, 1023)]
MPNET_FURTHEST = 2000


def runs(buckets, furthest):
    rows = []
    for distance, bucket in zip(range(-furthest, furthest + 1), buckets.tolist()):
        if not rows or rows[-1][1] != bucket:
            rows.append([distance, bucket])
    return rows


def deberta(buckets, max_distance, furthest):
    distances = torch.arange(-furthest, furthest + 1)
    found = make_log_bucket_position(distances, buckets, max_distance).long()
    rows = torch.clamp(found + buckets, 0, 2 * buckets - 1)
    return {"buckets": buckets, "max_distance": max_distance, "furthest": furthest, "rows": runs(rows, furthest)}


def mpnet():
    # Transformers passes the key's position less the query's; berth's distance is the query's less the key's.
    distances = torch.arange(-MPNET_FURTHEST, MPNET_FURTHEST + 1)
    return {"furthest": MPNET_FURTHEST, "rows": runs(MPNetEncoder.relative_position_bucket(-distances), MPNET_FURTHEST)}


print(json.dumps({"deberta": [deberta(*sizes) for sizes in DEBERTA], "mpnet": mpnet()}))
