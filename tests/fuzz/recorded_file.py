# SPDX-License-Identifier: MIT
"""Files of recorded cases, which the package may replay while others are still recorded."""
import contextlib
import os


@contextlib.contextmanager
def recorded_file(path):
    """A file to write. It gets its name when it is complete, so a reader never sees half of it."""
    part = f"{path}.part"
    with open(part, "w") as file:
        yield file
    os.replace(part, path)
