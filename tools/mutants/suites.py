"""The stage of `operators.py` that runs the Swift tests.

The copy of the package builds one test bundle, in which the same environment variable selects the
mutant. A run stops at the first issue that a test records.
"""

import os
import re
import signal
import subprocess
import threading

import scratch

# The test targets that test a module, the fastest first. The next one runs on the survivors of the previous
# one; for a mutant of equivalent.json only the first one runs.
SUITES = {
    "RevisionTree": ["RevisionTreeTests", "ReferenceDatastoreTests"],
    "Selectors": ["SelectorsTests", "ReferenceDatastoreTests"],
    "ReferenceDatastore": ["ReferenceDatastoreTests", "BundledStoresTests"],
    "SQLiteDatastore": ["SQLiteDatastoreTests", "BundledStoresTests"],
    "Replication": ["ReplicationTests", "ObjectContextsTests", "SimulationTests"],
    "Scenarios": ["ScenariosTests", "ConformanceTests"],
    "ObjectMapping": ["ObjectMappingTests", "ObjectOperationsTests", "ObjectContextsTests"],
    "ObjectContexts": ["ObjectContextsTests", "ObjectOperationsTests"],
    "Collections": ["CollectionsTests", "ObjectOperationsTests"],
}
# A fixed seed; `tools/test` changes it with the commit.
SEED = "1"
ISSUE = re.compile(r"Test (.+?) recorded an issue")


def needed():
    """Returns the test targets that the copy builds."""
    return {name for names in SUITES.values() for name in names} | {"TestSeeds"}


def program(tree):
    return tree / ".build/debug/touchstonePackageTests.xctest"


def run(tree, suite, mutant, seconds):
    """Returns what kills a mutant in a test target: the name of the first failed test, `crash` or
    `timeout`; None if all tests pass.

    The limit is on processor time. A second limit on wall-clock time ends mutants that wait forever.
    """
    environment = dict(os.environ, TOUCHSTONE_MUTANT=str(mutant.number) if mutant else "",
                       TOUCHSTONE_TEST_SEED=SEED, NO_COLOR="1")
    command = ["/bin/sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", str(program(tree)),
               "--testing-library", "swift-testing", "--filter", rf"^{suite}[./]"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tree,
                               env=environment, text=True, errors="replace", start_new_session=True)
    late = threading.Event()

    def stop():
        late.set()
        kill(process)

    timer = threading.Timer(12 * seconds, stop)
    timer.start()
    try:
        ran = False
        for line in process.stdout:
            found = ISSUE.search(line)
            if found:
                kill(process)
                return found[1]
            ran = ran or re.search(r"Test run with [1-9]\d* tests", line) is not None
        code = process.wait()
    finally:
        timer.cancel()
        process.stdout.close()
        process.wait()
    if late.is_set() or code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout"
    if code < 0:
        return "crash"
    if code == 0 and not ran:
        raise scratch.Failure(f"no test of {suite} ran")
    return None if code == 0 else "exit"


def kill(process):
    """Ends a test process and the processes it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
