"""scikit-learn's counts, for research/bench/peers.ts: CountVectorizer, and the table of anchors and features as a product of
sparse matrices. Takes the file, `features` or `text`, and a file with one anchor per line; prints JSON."""
import time

started = time.perf_counter()

import hashlib
import json
import resource
import sys

from sklearn import __version__
from sklearn.feature_extraction.text import CountVectorizer

path, field, names_path = sys.argv[1:]


def documents():
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)[field]


def as_given(features):
    return features


vectorizer = CountVectorizer(binary=True, **({} if field == "text" else {"analyzer": as_given}))
matrix = vectorizer.fit_transform(documents())
with open(names_path, encoding="utf-8") as lines:
    anchors = [name for name in lines.read().split() if name in vectorizer.vocabulary_]
table = matrix[:, [vectorizer.vocabulary_[name] for name in anchors]].T @ matrix

seconds = time.perf_counter() - started
processor = time.process_time()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

features = vectorizer.get_feature_names_out()
cells = table.tocoo()
lines = sorted(f"{anchors[i]} {features[j]} {n}\n" for i, j, n in zip(cells.row, cells.col, cells.data))
digest = hashlib.sha256("".join(lines).encode()).hexdigest()
print(json.dumps({"seconds": seconds, "processorSeconds": processor, "peak": peak, "digest": digest, "version": __version__}))
