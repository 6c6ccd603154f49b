"""The scripts of a campaign: the one that runs a shard, and those that hand shards to an engine."""

import re
import shlex

WORKER = r"""#!/bin/sh
# Runs one shard of a campaign: shard K. Written by tools/campaign; a change is overwritten.
# Exit code 0 if the report of the shard is complete, also with a finding. The files attempts/K and reports/K.json are
# the record. In a campaign that ends at its first finding, a shard that begins after it ends at once.
set -u
shard=$1
folder=@FOLDER@
limit=@LIMIT@
stop=@STOP@
case $shard in '' | *[!0-9]*) echo "shard: expected a number from 1 to @SHARDS@, found '$shard'" >&2; exit 64 ;; esac
mkdir -p "$folder/reports" "$folder/attempts" "$folder/logs" || exit 74
if [ -f "$folder/reports/$shard.json" ] || [ -f "$folder/stop" ]; then exit 0; fi
cd @DIRECTORY@ || exit 74

who="$(uname -n) $$-$(date +%s)"
new="$folder/reports/.$shard.$(uname -n).$$"
child=
record() {
  now=$(date +%s.%N)
  case $now in *N*) now=$(date +%s) ;; esac
  echo "$1 $now $who${2:+ $2}" >>"$folder/attempts/$shard"
}
finish() {
  rm -f "$new"
  record end "$1"
  exit "$2"
}
quit() {
  trap '' TERM INT HUP
  if [ -n "$child" ]; then kill -TERM "$child" 2>/dev/null && wait "$child" 2>/dev/null; fi
  finish stopped 143
}
: >"$folder/logs/$shard.err" || exit 74
record begin || exit 74
trap quit TERM INT HUP
# Without a limit, the duration is 0. `timeout` also gives the program a process group, which it ends as a whole.
timeout -k 10 "$limit" @COMMAND@ --report "$new" \
  </dev/null >"$folder/logs/$shard.out" 2>"$folder/logs/$shard.err" &
child=$!
wait "$child"
code=$?
child=
if [ "$code" -gt 1 ]; then finish "$code" "$code"; fi
# An interrupted write leaves no closing brace.
case $(tail -c 2 "$new" 2>/dev/null) in *'}') ;; *) finish "$code" 74 ;; esac
# The shard has ended: a signal to end it must not record another end, or prevent the next lines.
trap '' TERM INT HUP
# The report comes first, so that an attempt that ended well has one at any time.
mv "$new" "$folder/reports/$shard.json" || finish "$code" 74
record end "$code"
if [ "$code" -eq 1 ] && [ "$stop" -eq 1 ]; then : >"$folder/stop"; fi
exit 0
"""


def quoted(word):
    """Returns a word of the command for the shell; {shard} becomes the number of the shard."""
    return '"$shard"'.join(shlex.quote(part) if part else "" for part in word.split("{shard}")) or "''"


def worker(description, folder, program=None, directory=None):
    """Returns the script that runs one shard."""
    command = " ".join(quoted(word) for word in [program or description.program, *description.words()])
    values = {
        "@FOLDER@": shlex.quote(str(folder)), "@LIMIT@": str(description.limit),
        "@STOP@": "1" if description.stop else "0", "@SHARDS@": str(description.shards),
        "@DIRECTORY@": shlex.quote(directory or description.directory), "@COMMAND@": command,
    }
    # In one pass, because a value can contain one of the names.
    return re.sub("|".join(values), lambda name: values[name[0]], WORKER)


def parallel_command(description, folder, jobs, logins, options):
    """Returns the command of GNU parallel that runs all shards without a result."""
    command = ["parallel", "--will-cite", "--jobs", str(jobs), "--joblog", f"{folder}/joblog", "--resume-failed",
               "--termseq", "TERM,12000,KILL,100", "--arg-file", f"{folder}/shards"]
    for login in logins:
        command += ["--sshlogin", login]
    # parallel reads the command as a line of shell, and replaces {}.
    return [*command, *options, shlex.quote(f"{folder}/shard") + " {}"]


def parallel(description, folder, jobs, logins, options):
    """Returns a script for GNU parallel."""
    command = " ".join(shlex.quote(word) for word in parallel_command(description, folder, jobs, logins, options))
    return ("#!/bin/sh\n# Runs the shards, on this machine or over ssh. Run it again to continue with those that failed.\n"
            f"exec {command}\n")


def ranges(numbers):
    """Returns sorted numbers as Slurm expects them: 1-3,7."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def slurm(description, folder, jobs, options):
    """Returns a batch script for a job array."""
    lines = [
        "#!/bin/sh", "# Runs all shards: sbatch slurm.sh. A shard with a report ends at once.",
        f"#SBATCH --job-name=touchstone-{description.command[0]}",
        f"#SBATCH --array=1-{description.shards}%{jobs}", "#SBATCH --requeue", "#SBATCH --cpus-per-task=1",
        "#SBATCH --open-mode=append", f'#SBATCH --chdir="{folder}"', "#SBATCH --output=logs/slurm-%A_%a.txt",
    ]
    if description.limit:
        # The script ends the program itself at the limit; Slurm's limit is for a machine that hangs.
        lines.append(f"#SBATCH --time={description.limit // 60 + 3}")
    lines += [f"#SBATCH {option}" for option in options]
    return "\n".join(lines) + f'\nexec {shlex.quote(f"{folder}/shard")} "$SLURM_ARRAY_TASK_ID"\n'
