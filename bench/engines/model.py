"""A checkpoint in all the forms that the peers of compare.py load, made once in a working folder by the peers' own tools."""

import json
import shutil
import subprocess
import sys
from pathlib import Path


class Model:
    def __init__(self, checkpoint, work):
        self.checkpoint = Path(checkpoint)
        self.name = self.checkpoint.name
        self.config = json.loads((self.checkpoint / "config.json").read_text())
        self.work = Path(work) / self.name
        self.exported = self.work / "optimum" / "model.onnx"
        self.fused = self.work / "fused.onnx"
        self.ctranslate2 = self.work / "ctranslate2"

    @property
    def classifies(self):
        return any("ForSequenceClassification" in name for name in self.config.get("architectures") or [])

    def transformers_class(self):
        import transformers

        return transformers.AutoModelForSequenceClassification if self.classifies else transformers.AutoModel

    def classifier(self):
        """Weight and bias of a BERT's last dense layer, or None for a model without a head."""
        if not self.classifies:
            return None
        import numpy
        from safetensors.numpy import load_file

        tensors = load_file(self.checkpoint / "model.safetensors")
        return tensors["classifier.weight"].astype(numpy.float32), tensors["classifier.bias"].astype(numpy.float32)

    def prepare(self):
        self.work.mkdir(parents=True, exist_ok=True)
        for made, make in ((self.exported, self._export), (self.fused, self._fuse), (self.ctranslate2, self._convert)):
            if not made.exists():
                print(f"compare: making {made.relative_to(self.work.parent)}", file=sys.stderr)
                make()

    def _export(self):
        task = "text-classification" if self.classifies else "feature-extraction"
        subprocess.run([Path(sys.executable).parent / "optimum-cli", "export", "onnx", "--model", self.checkpoint,
                        "--task", task, self.exported.parent], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def _fuse(self):
        from onnxruntime.transformers import optimizer

        optimizer.optimize_model(str(self.exported), model_type="bert", num_heads=self.config["num_attention_heads"],
                                 hidden_size=self.config["hidden_size"]).save_model_to_file(str(self.fused))

    def _convert(self):
        # The converter reads a base model's checkpoint: the encoder of a classifier is saved as one first.
        import transformers

        base = self.work / "base"
        transformers.AutoModel.from_pretrained(self.checkpoint).float().save_pretrained(base)
        for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
            if (self.checkpoint / name).exists():
                shutil.copy(self.checkpoint / name, base)
        from ctranslate2.converters import TransformersConverter

        TransformersConverter(str(base)).convert(str(self.ctranslate2), force=True)
        shutil.rmtree(base)
