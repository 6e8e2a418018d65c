"""The Debian packages of files, for the scripts that write and check a bill of materials."""

import subprocess


def owners(files):
    """Returns the package of each file by its path. A file of no package is missing in the result."""
    # A package can have listed a file below /lib that is now below /usr/lib.
    candidates = {file: [file, file.removeprefix("/usr")] for file in files}
    paths = {path for pair in candidates.values() for path in pair}
    # The command fails if it finds no package for one of the paths, but still prints the packages of the others.
    found = subprocess.run(["dpkg", "--search", *sorted(paths)], capture_output=True, text=True)
    names = {}
    for line in found.stdout.splitlines():
        packages, path = line.rsplit(": ", 1)
        names[path] = packages.split(",")[0]
    return {file: names[path] for file, pair in candidates.items() for path in reversed(pair) if path in names}
