#!/usr/bin/env python3
"""Converts all recorded behaviour to vectors, and writes Vectors/observed/README.md.

    python3 tools/convert/all.py FOLDER-OF-RECORDINGS [Vectors/observed]

Runs every converter in turn. Equal input gives equal output, byte for byte. Standard library only.
"""

import argparse
import os

import attachments
import histories
import merges
import pouchdb_documents
import pouchdb_merges
import pouchdb_replication
import revision_ids
import shared
import three_replicas
import transcript

CONVERTERS = [
    histories,
    merges,
    revision_ids,
    transcript,
    attachments,
    three_replicas,
    pouchdb_merges,
    pouchdb_documents,
    pouchdb_replication,
]


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("recordings", help="the folder of the recordings")
    arguments.add_argument("folder", nargs="?", default=shared.OBSERVED)
    options = arguments.parse_args()
    for converter in CONVERTERS:
        recording = os.path.join(options.recordings, converter.SOURCE)
        shared.produce(converter, recording, options.folder)


if __name__ == "__main__":
    main()
