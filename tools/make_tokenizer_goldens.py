#!/usr/bin/env python3
"""Writes what Transformers' tokenizer makes of sampled texts: the goldens of tests/text/golden_test.cpp.

    python3 tools/make_tokenizer_goldens.py MODEL_FOLDER TEXTS_FOLDER > tests/data/text/MODEL.golden.jsonl

Needs tokenizers 0.22.2 and transformers 4.57.6. TEXTS_FOLDER holds awkward.jsonl and languages.jsonl, an object with
"text" a line. The first line of the output names versions and model; each other line is an input (text | words,
optional pair, add_special_tokens, truncation) and its encoding: masks and type ids as strings with one digit a token,
offsets in code points; "overflowing" holds the first windows of "overflow_count". Deterministic.
"""
import json
import os
import random
import sys

os.environ["TOKENIZERS_PARALLELISM"] = "false"
import tokenizers
import transformers

MAX_WINDOWS = 2


def texts_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


def described(encoding, is_pair):
    row = {
        "ids": encoding.ids,
        "offsets": [list(span) for span in encoding.offsets],
        "type_ids": "".join(map(str, encoding.type_ids)),
        "special_tokens_mask": "".join(map(str, encoding.special_tokens_mask)),
        "word_ids": encoding.word_ids,
    }
    if is_pair:
        row["sequence_ids"] = encoding.sequence_ids
    if encoding.overflowing:
        row["overflow_count"] = len(encoding.overflowing)
        row["overflowing"] = [described(window, is_pair) for window in encoding.overflowing[:MAX_WINDOWS]]
        for window in row["overflowing"]:
            window.pop("overflow_count", None)
            window.pop("overflowing", None)
    return row


def encode(tokenizer, row):
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if "truncation" in row:
        tokenizer.enable_truncation(**row["truncation"])
    is_words = "words" in row
    encoding = tokenizer.encode(row["words"] if is_words else row["text"], row.get("pair"), is_pretokenized=is_words,
                                add_special_tokens=row.get("add_special_tokens", True))
    return {"op": "encode", **row, **described(encoding, "pair" in row)}


def rows(awkward, languages):
    sample = random.Random("tokenizer goldens")
    plain = [text[:120] for text in awkward] + [text[:50] for text in sample.sample(languages, 30)]
    for text in plain:
        yield {"text": text}
    for text in sample.sample(plain, 10):
        yield {"text": text, "add_special_tokens": False}
    for _ in range(25):
        first, second = sample.sample(plain, 2)
        yield {"text": first[:40], "pair": second[:40]}
    for text in sample.sample(plain, 25):
        yield {"words": text[:60].split(" ")}
    long_texts = [text[:90] for text in languages if len(text) > 60]
    for i in range(18):
        first, second = sample.sample(long_texts, 2)
        strategy = ("longest_first", "only_first", "only_second")[i % 3]
        row = {"text": first if strategy != "only_second" else first[:10]}
        if strategy == "only_second" or i % 2 == 0:
            row["pair"] = second if strategy != "only_first" else second[:10]
        row["truncation"] = {"max_length": sample.randint(20, 28), "stride": sample.randint(0, 3), "strategy": strategy}
        yield row


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    model, texts = sys.argv[1:]
    tokenizer = transformers.AutoTokenizer.from_pretrained(model).backend_tokenizer
    versions = {"tokenizers": tokenizers.__version__, "transformers": transformers.__version__}
    lines = [{"op": "about", "model": os.path.basename(os.path.normpath(model)), "made_with": versions}]
    lines += [encode(tokenizer, row) for row in rows(texts_of(texts, "awkward.jsonl"), texts_of(texts, "languages.jsonl"))]
    for line in lines:
        print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
