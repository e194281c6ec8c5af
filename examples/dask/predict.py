# SPDX-License-Identifier: MIT
"""Predicts the rows of a CSV file on a Dask cluster: a key, then the numbers of the model.

    python3 predict.py model.keras rows.csv scores.csv

Starts a scheduler and two worker processes on this machine; --scheduler names another cluster.
The results are in the order of the rows, each row once, also if workers die on the way.
"""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

import dask.bag
from distributed import Client, LocalCluster, WorkerPlugin, get_worker

COMMAND = shlex.split(os.environ.get("MASKFLOW", "npx --no-install maskflow"))
# Each worker has one core. The first column is the key, which passes through.
OPTIONS = "-i - --input-format csv --no-header --id 1 --format csv --threads 1 --quiet".split()


def command(model):
    return [*COMMAND, "run", model, *OPTIONS]


def filter_lines(lines, model):
    """Runs the command once for a partition: all lines in, all lines out."""
    text = "".join(lines)
    if not text:
        return []
    done = subprocess.run(
        command(model), input=text, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.splitlines()[1:]  # without the heading


def write(pipe, lines):
    try:
        pipe.writelines(lines)
        pipe.flush()
    except (BrokenPipeError, ValueError):
        pass  # The reader reports the end of the process.


class Predictor:
    """A command that runs as long as its worker, so that the model is loaded once."""

    def __init__(self, model):
        self.model = model
        self.lock = threading.Lock()
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            command(self.model), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.has_heading = False

    def predict(self, lines):
        """Writes lines and reads as many results. If the command ends, the next call restarts it."""
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self.start()
            # A thread writes, because both pipes may be full at the same time.
            writer = threading.Thread(target=write, args=(self.process.stdin, lines))
            writer.start()
            results = [self.read_line() for _ in lines]
            writer.join()
            return results

    def read_line(self):
        line = self.process.stdout.readline()
        if line and not self.has_heading:
            self.has_heading = True
            line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"maskflow ended with code {self.process.wait()}")
        return line.rstrip("\n")

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


class KeepPredictor(WorkerPlugin):
    """Gives each worker a Predictor."""

    name = "maskflow"

    def __init__(self, model):
        self.model = model

    def setup(self, worker):
        worker.maskflow = Predictor(self.model)

    def teardown(self, worker):
        worker.maskflow.close()


def ask_process(lines, _model):
    """Sends a partition to the process of this worker."""
    lines = list(lines)
    return get_worker().maskflow.predict(lines) if lines else []


def with_end(lines):
    """The last line of a file may have no end."""
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]


def predict(client, options):
    if options.way == "process":
        register = getattr(client, "register_plugin", None) or client.register_worker_plugin
        register(KeepPredictor(options.model))
    way = {"filter": filter_lines, "process": ask_process}[options.way]
    rows = dask.bag.read_text(options.rows, blocksize=options.block).map_partitions(with_end)
    scores = rows.map_partitions(way, options.model)
    # A folder that all workers see. Files have the number of their partition.
    folder = tempfile.mkdtemp(dir=pathlib.Path(options.scores).resolve().parent)
    try:
        parts = scores.to_textfiles(os.path.join(folder, "*.csv"), last_endline=True, compute=False)
        # A partition whose worker dies is computed again, and its file is written again.
        client.gather(client.compute(parts, retries=3))
        with open(options.scores, "wb") as joined:
            for part in sorted(pathlib.Path(folder).iterdir(), key=lambda part: int(part.stem)):
                joined.write(part.read_bytes())
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("rows", help="CSV without a heading: a key, then numbers")
    parser.add_argument("scores", help="the file to write")
    parser.add_argument("--way", choices=["filter", "process"], default="process")
    parser.add_argument("--block", default="4MiB", help="size of a partition")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scheduler", help="address of a cluster, instead of one on this machine")
    options = parser.parse_args()
    options.model = os.path.abspath(options.model)
    options.rows = os.path.abspath(options.rows)
    cluster = options.scheduler or LocalCluster(
        n_workers=options.workers, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with Client(cluster) as client:
        print("workers:", *client.run(os.getpid).values(), file=sys.stderr, flush=True)
        predict(client, options)
    if not options.scheduler:
        cluster.close()


if __name__ == "__main__":
    main()
