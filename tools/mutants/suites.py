"""The Swift tests as a stage of `operators.py`: which suites test a module, and how they are run.

The copy of the package builds one test bundle, in which the same environment variable selects the
mutant. A run stops at the first issue that a test records.
"""

import os
import re
import resource
import signal
import subprocess
import threading

import scratch

# The tests of a module and of the modules that test it. A pattern selects tests as `swift test
# --filter` does. Campaigns with random seeds are left out: they are a stage of their own.
SUITES = {
    "RevisionTree": ["RevisionTreeTests", "ReferenceDatastoreTests"],
    "Selectors": ["SelectorsTests", "ReferenceDatastoreTests", "CollectionsTests"],
    "ReferenceDatastore": ["ReferenceDatastoreTests", "BundledStoresTests"],
    "SQLiteDatastore": ["SQLiteDatastoreTests", "BundledStoresTests"],
    "Replication": ["ReplicationTests", "BundledStoresTests", "SimulationTests"],
    "Scenarios": ["ScenariosTests", "ConformanceTests"],
    "ObjectMapping": ["ObjectMappingTests", "ObjectOperationsTests"],
    "ObjectContexts": ["ObjectContextsTests", "ObjectOperationsTests"],
    "Collections": ["CollectionsTests", "ObjectOperationsTests"],
}
# Campaigns start at a seed that `tools/test` changes with the commit; here it is fixed.
SEED = "1"
ISSUE = re.compile(r"Test (.+?) recorded an issue")


def needed():
    """The test targets that the copy builds."""
    return {name.split(".")[0] for names in SUITES.values() for name in names} | {"TestSeeds"}


def program(tree):
    return tree / ".build/debug/touchstonePackageTests.xctest"


def run(tree, module, mutant, seconds):
    """How the tests of a module kill a mutant: the name of the first test that fails, `crash` or
    `timeout`; None if all tests pass.

    The limit is on processor time. The limit on wall-clock time is for a mutant that waits forever.
    """
    pattern = "^(" + "|".join(name.replace(".", r"\.") for name in SUITES[module]) + r")[./]"
    environment = dict(os.environ, TOUCHSTONE_MUTANT=str(mutant.number) if mutant else "",
                       TOUCHSTONE_TEST_SEED=SEED, NO_COLOR="1")
    command = ["/bin/sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", str(program(tree)),
               "--testing-library", "swift-testing", "--filter", pattern]
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
        raise scratch.Failure(f"no test of {module} ran")
    return None if code == 0 else "exit"


def kill(process):
    """Ends a test process and the processes it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def processor_seconds():
    """The processor time of all processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
