"""The peers of compare.py: each loads a checkpoint and turns token ids into outputs, in its default setting and in its
best. A peer is a class with

    load(model, threads)    model: a Model of model.py
    run(rows) -> array      rows: lists of token ids, any lengths; one row of outputs each, in their order

"default" is what the engine's own introduction shows: texts in batches of 32 as they come, padded to the longest.
"best" is what its manual advises for speed without loss: threads set, texts sorted by length, and batches of as many
padded tokens as a sweep found best.
"""

import numpy as np

BATCH = 32  # texts of a batch in the default setting


def pad(rows, width=None):
    width = width or max(map(len, rows))
    ids = np.zeros((len(rows), width), np.int64)
    mask = np.zeros((len(rows), width), np.int64)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return ids, mask


def in_order(rows):
    for start in range(0, len(rows), BATCH):
        yield list(range(start, min(start + BATCH, len(rows))))


def by_length(rows, tokens):
    """Longest first; a batch closes when one more text would pass that many padded tokens."""
    batch, width = [], 0
    for index in sorted(range(len(rows)), key=lambda i: -len(rows[i])):
        width = width or len(rows[index])
        if batch and (len(batch) + 1) * width > tokens:
            yield batch
            batch, width = [], len(rows[index])
        batch.append(index)
    if batch:
        yield batch


class Peer:
    """What all peers share: batches, and answers put back in order."""

    best = False
    batch_tokens = 4096

    def batches(self, rows):
        return by_length(rows, self.batch_tokens) if self.best else in_order(rows)

    def run(self, rows):
        answers = [None] * len(rows)
        for batch in self.batches(rows):
            outputs = self.outputs(*pad([rows[i] for i in batch]))
            for i, output in zip(batch, outputs):
                answers[i] = output
        return np.stack(answers)


class Torch(Peer):
    attention = None

    def load(self, model, threads):
        import torch

        self.torch = torch
        if self.best:
            torch.set_num_threads(threads)
        options = {"attn_implementation": self.attention} if self.attention else {}
        self.model = model.transformers_class().from_pretrained(model.checkpoint, dtype=torch.float32, **options).eval()

    def outputs(self, ids, mask):
        with self.torch.inference_mode() if self.best else self.torch.no_grad():
            result = self.model(input_ids=self.torch.from_numpy(ids), attention_mask=self.torch.from_numpy(mask))
        return (result.logits if hasattr(result, "logits") else result.last_hidden_state[:, 0]).numpy()


class TorchEager(Torch):
    name, setting = "PyTorch eager", "default"


class TorchBest(Torch):
    name, setting = "PyTorch eager", "best: SDPA, inference mode, sorted"
    best, attention = True, "sdpa"


class TorchCompiled(TorchBest):
    name, setting = "PyTorch compiled", "best: inductor, dynamic shapes, sorted"

    def load(self, model, threads):
        super().load(model, threads)
        self.model = self.torch.compile(self.model, dynamic=True)


class OnnxRuntime(Peer):
    name, setting = "ONNX Runtime (Python)", "default"

    def load(self, model, threads):
        import onnxruntime

        self.session = onnxruntime.InferenceSession(self.file(model), self.options(onnxruntime, threads),
                                                    providers=["CPUExecutionProvider"])
        self.inputs = {value.name for value in self.session.get_inputs()}
        self.per_token = len(self.session.get_outputs()[0].shape) == 3

    def file(self, model):
        return str(model.exported)

    def options(self, onnxruntime, threads):
        return None

    def outputs(self, ids, mask):
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self.session.run(None, {name: feed[name] for name in self.inputs})[0]
        return output[:, 0] if self.per_token else output


class OnnxRuntimeBest(OnnxRuntime):
    setting = "best: threads set, sorted"
    best = True

    def options(self, onnxruntime, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        return options


class OnnxRuntimeFused(OnnxRuntimeBest):
    setting = "best, after its transformer optimizer"

    def file(self, model):
        return str(model.fused)


class OpenVino(Peer):
    name, setting = "OpenVINO", "default"

    def load(self, model, threads):
        import openvino

        core = openvino.Core()
        self.model = core.compile_model(str(model.exported), "CPU", self.config(threads))
        self.inputs = {value.get_any_name() for value in self.model.inputs}
        self.per_token = len(self.model.outputs[0].partial_shape) == 3

    def config(self, threads):
        # Where the CPU has BF16 its default computes in that; all here compute in FP32, or the answers differ.
        return {"INFERENCE_PRECISION_HINT": "f32"}

    def outputs(self, ids, mask):
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self.model({name: feed[name] for name in self.inputs})[0]
        return output[:, 0] if self.per_token else output


class OpenVinoBest(OpenVino):
    setting = "best: latency hint, threads set, sorted"
    best = True

    def config(self, threads):
        return {**super().config(threads), "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads}


class CTranslate2(Peer):
    """Removes padding itself. It has encoders, not heads: those are computed here with numpy."""

    name, setting = "CTranslate2", "default"

    def load(self, model, threads):
        import ctranslate2

        self.ct = ctranslate2
        options = {"intra_threads": threads, "inter_threads": 1} if self.best else {}
        self.encoder = ctranslate2.Encoder(str(model.ctranslate2), device="cpu", compute_type="float32", **options)
        self.head = model.classifier()

    def run(self, rows):
        answers = [None] * len(rows)
        for batch in self.batches(rows):
            result = self.encoder.forward_batch([rows[i] for i in batch])
            if self.head is None:
                outputs = np.array(result.last_hidden_state)[:, 0]
            else:
                weight, bias = self.head
                outputs = np.array(result.pooler_output) @ weight.T + bias
            for i, output in zip(batch, outputs):
                answers[i] = output
        return np.stack(answers)


class CTranslate2Best(CTranslate2):
    setting = "best: threads set, sorted"
    best = True


PEERS = {peer.__name__: peer for peer in (
    TorchEager, TorchBest, TorchCompiled, OnnxRuntime, OnnxRuntimeBest, OnnxRuntimeFused, OpenVino, OpenVinoBest,
    CTranslate2, CTranslate2Best)}
