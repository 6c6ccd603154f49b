"""A Slurm cluster of one controller and several nodes on this machine, for trials. It needs root.

The nodes are `slurmd -N` daemons with a port, a spool folder and a log each. Authentication is a munged with a key of
its own. Nothing outside the given folder is written.
"""

import os
import pathlib
import platform
import shutil
import signal
import socket
import subprocess
import time

from description import Incomplete

TOOLS = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scancel", "sinfo")

CONFIGURATION = """\
ClusterName=trial
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2
SlurmdTimeout=6
KillWait=2
ReturnToService=2
JobRequeue=1
{nodes}
PartitionName=main Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


def missing():
    """Returns why no cluster can start here; "" if one can."""
    absent = [tool for tool in TOOLS if shutil.which(tool, path=os.environ.get("PATH", "") + ":/usr/sbin") is None]
    if absent:
        return f"{', '.join(absent)} not installed (packages slurmctld, slurmd, slurm-client, munge)"
    return "" if os.geteuid() == 0 else "not root"


def free_ports(count):
    """Returns ports that no program uses now."""
    sockets = [socket.socket() for _ in range(count)]
    for opened in sockets:
        opened.bind(("127.0.0.1", 0))
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


class Cluster:
    """The daemons. `environment` makes the client programs use this cluster."""

    def __init__(self, folder, nodes=("n1", "n2")):
        self.folder, self.nodes, self.daemons = pathlib.Path(folder), nodes, {}
        host = platform.node().split(".")[0]
        ports = free_ports(1 + len(nodes))
        (self.folder / "state").mkdir(parents=True)
        # munged demands that other users cannot write into the folder of its socket.
        self.folder.chmod(0o755)
        lines = [f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN"
                 for name, port in zip(nodes, ports[1:])]
        text = CONFIGURATION.format(host=host, port=ports[0], folder=self.folder, nodes="\n".join(lines))
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        (self.folder / "cgroup.conf").write_text("", encoding="utf-8")
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"),
                            "PATH": os.environ.get("PATH", "") + ":/usr/sbin"}

    def daemon(self, name, *command):
        with open(self.folder / f"{name}.txt", "w", encoding="utf-8") as written:
            self.daemons[name] = subprocess.Popen(
                [str(word) for word in command], env=self.environment, stdin=subprocess.DEVNULL, stdout=written,
                stderr=written, start_new_session=True)

    def start(self):
        """Starts all daemons and waits until the nodes are idle."""
        place = self.folder
        self.daemon("munged", "munged", "--foreground", "--force", "--socket", place / "munge.socket",
                    "--key-file", place / "munge.key", "--pid-file", place / "munge.pid",
                    "--log-file", place / "munge.log", "--seed-file", place / "munge.seed")
        self.wait(lambda: (place / "munge.socket").exists(), "munged opens its socket", 10)
        self.daemon("slurmctld", "slurmctld", "-D", "-f", place / "slurm.conf")
        for node in self.nodes:
            (place / f"spool.{node}").mkdir()
            self.daemon(node, "slurmd", "-D", "-N", node, "-f", place / "slurm.conf")
        self.wait(lambda: self.output("sinfo", "-h", "-N", "-o", "%T").split() == ["idle"] * len(self.nodes),
                  "all nodes are idle", 60)

    def wait(self, condition, what, seconds):
        deadline = time.monotonic() + seconds
        while not condition():
            ended = [name for name, daemon in self.daemons.items() if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                text = "".join((self.folder / f"{name}.txt").read_text(encoding="utf-8")[-800:] for name in ended)
                raise Incomplete(f"waited {seconds} s until {what}; ended: {ended}\n{text}")
            time.sleep(0.2)

    def output(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    def kill(self, node):
        """Ends a node as a power loss does: SIGKILL to its daemon, its job steps and its jobs. Returns their number."""
        jobs, steps = [], set()
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                words = pathlib.Path(f"/proc/{entry}/environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"SLURM_CONF={self.folder}/slurm.conf".encode() in words \
                    and f"SLURMD_NODENAME={node}".encode() in words:
                jobs.append(int(entry))
                parent = self.parent(int(entry))
                if self.name(parent).startswith("slurmstepd"):
                    steps.add(parent)
        # The daemon and the steps first: they must not report the end of the job to the controller.
        pids = [self.daemons[node].pid, *steps, *jobs]
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.daemons.pop(node).wait()
        return len(pids)

    @staticmethod
    def parent(pid):
        try:
            return int(pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            return 0

    @staticmethod
    def name(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            return ""

    def stop(self):
        """Ends all daemons."""
        for name in [*self.nodes, "slurmctld", "munged"]:
            daemon = self.daemons.get(name)
            if daemon is None or daemon.poll() is not None:
                continue
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
