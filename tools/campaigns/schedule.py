"""An estimate of the time of a campaign on more cores, from measured durations of shards."""

import heapq

from description import Usage


def makespan(durations, cores, startup=0.0):
    """Returns the end of the last shard, if each free core takes the next shard of the list."""
    free = [0.0] * min(cores, max(1, len(durations)))
    for duration in durations:
        heapq.heappush(free, heapq.heappop(free) + startup + duration)
    return max(free)


def repeated(durations, shards):
    """Returns as many durations as shards, by repeating the measured ones in their order."""
    return [durations[index % len(durations)] for index in range(shards)]


def of_joblog(text):
    """Returns the durations of the shards in a joblog of GNU parallel; a shard that failed has none."""
    lines = [line.split("\t") for line in text.splitlines()]
    if not lines or lines[0][:4] != ["Seq", "Host", "Starttime", "JobRuntime"]:
        raise Usage("joblog: expected the columns of GNU parallel, Seq, Host, Starttime and JobRuntime first")
    try:
        return [float(words[3]) for words in lines[1:] if len(words) > 7 and words[6] in ("0", "1")]
    except ValueError as problem:
        raise Usage(f"joblog: {problem}") from None


def table(durations, cores, startup):
    """Returns the lines of the estimate."""
    work = sum(durations)
    lines = [f"{'cores':>8}  {'time':>10}  {'speed-up':>9}  {'efficiency':>10}"]
    for count in cores:
        time = makespan(durations, count, startup)
        speed = work / time if time > 0 else 1.0
        lines.append(f"{count:>8}  {shown(time):>10}  {speed:>9.1f}  {speed / count:>10.1%}")
    return lines


def shown(seconds):
    """Returns a time with its unit."""
    if seconds < 120:
        return f"{seconds:.1f} s"
    if seconds < 7200:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.1f} h"
