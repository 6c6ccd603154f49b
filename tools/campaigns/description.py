"""The description of a campaign: the command, the seeds, the shards, the program, and the limits."""

import dataclasses
import hashlib
import json
import pathlib
import re
import subprocess

# The options that the campaign sets itself, and those that end a shard at a time that is not in the description.
OWN = ("--seeds", "--shard", "--report")
TIMED = ("--minutes", "--seconds", "--prove", "--against", "--laws")
# The options that write files: two shards must not write the same one.
FILES = ("--save", "--page", "--history", "--json", "--folder")
MOST_SHARDS = 50_000
UNITS = {"": 1, "s": 1, "min": 60, "h": 3600}
FILE_NAME = "campaign.json"


class Usage(Exception):
    """Wrong usage; the message says what was found, where, and what was expected."""


class Incomplete(Exception):
    """A campaign that cannot continue now; the message names the fix."""


@dataclasses.dataclass(frozen=True)
class Description:
    """What a campaign runs. `limit` is in seconds, 0 for no limit."""

    command: tuple
    seeds: tuple | None
    shards: int
    program: str
    sha256: str
    directory: str
    limit: int = 0
    retries: int = 2
    stop: bool = False

    def identity(self):
        """Returns the members that must not change when a campaign is continued."""
        return {"command": list(self.command), "seeds": self.seed_text(), "shards": self.shards,
                "sha256": self.sha256, "directory": self.directory}

    def seed_text(self):
        """Returns the seeds as A..B; None for a command that has cases in place of seeds."""
        return None if self.seeds is None else f"{self.seeds[0]}..{self.seeds[1]}"

    def words(self):
        """Returns the arguments of one shard, with {shard} for its number, without --report."""
        words = list(self.command)
        if self.seeds is not None:
            words += ["--seeds", self.seed_text()]
        return words + ["--shard", "{shard}/" + str(self.shards)]

    def json(self):
        """Returns the description as it is stored."""
        return {"format": "touchstone campaign description", "version": 1, **self.identity(),
                "program": self.program, "limit": self.limit, "retries": self.retries, "stopAtFinding": self.stop}


def seeds_of(text):
    """Returns the ends of A..B."""
    match = re.fullmatch(r"(\d{1,18})\.\.(\d{1,18})", str(text))
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise Usage(f"seeds: expected A..B with 1 <= A <= B, found '{text}'")
    return int(match[1]), int(match[2])


def seconds_of(value):
    """Returns a time such as 90, 90s, 15min or 2h in seconds."""
    match = re.fullmatch(r"(\d{1,7})(s|min|h)?", str(value))
    if match is None:
        raise Usage(f"limit: expected a time such as 90s, 15min or 2h, found '{value}'")
    return int(match[1]) * UNITS[match[2] or ""]


def count_of(value, name, least, most):
    """Returns a whole number within a range."""
    if isinstance(value, bool) or re.fullmatch(r"\d{1,9}", str(value)) is None or not least <= int(value) <= most:
        raise Usage(f"{name}: expected a number from {least} to {most}, found '{value}'")
    return int(value)


def has_option(words, option):
    """True if an option is among the words, also as --option=value."""
    return any(word == option or word.startswith(option + "=") for word in words)


def check_command(command, offered):
    """Rejects commands that cannot be divided. `offered` are the options in the command's help."""
    name = command[0]
    missing = [option for option in ("--shard", "--report") if option not in offered]
    if missing:
        raise Usage(f"command: 'touchstone {name}' has no {' and no '.join(missing)}, so it cannot be divided")
    for option in OWN:
        if has_option(command, option):
            raise Usage(f"command: remove {option}; the campaign sets it for each shard")
    for option in TIMED:
        if has_option(command, option):
            raise Usage(f"command: remove {option}; a campaign runs each seed of its range once")
    for option in FILES:
        for index, word in enumerate(command):
            value = value_of(command, index)
            if word.partition("=")[0] == option and "{shard}" not in value:
                raise Usage(f"command: {option} {value}: two shards would write the same file; "
                            f"write {{shard}} into the name")
    for index, word in enumerate(command):
        value = value_of(command, index)
        if word.partition("=")[0] == "--storage" and value.startswith("disk") and "{shard}" not in value:
            raise Usage(f"command: --storage {value}: two shards would use the same folder; write {{shard}} into the "
                        f"name, such as disk:/tmp/store-{{shard}}")


def value_of(words, index):
    """Returns the value of the option at a place: after its = sign, or the next word."""
    return words[index].partition("=")[2] if "=" in words[index] else "".join(words[index + 1:index + 2])


def options_of(program, name):
    """Returns the options that the help of a command lists."""
    try:
        done = subprocess.run([program, name, "--help"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Usage(f"program: '{program} {name} --help' failed: {problem}") from None
    if done.returncode != 0:
        raise Usage(f"command: '{program} {name} --help' exited with {done.returncode}: {done.stderr.strip()[:200]}")
    return set(re.findall(r"^  (--[a-z-]+)", done.stdout, re.MULTILINE))


def make(values, program, directory, offered=None):
    """Returns the description for the members of a file or of the command line, or raises Usage."""
    known = {"command", "seeds", "shards", "limit", "retries", "stopAtFinding"}
    for name in values:
        if name not in known:
            raise Usage(f"description: unknown member '{name}'; expected some of {', '.join(sorted(known))}")
    command = values.get("command")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise Usage("command: expected a list of texts that begins with the name of a command, such as simulate")
    path = pathlib.Path(program).absolute()
    if not path.is_file():
        raise Usage(f"program: no file at {path}; build it, or name it with --touchstone")
    offered = options_of(str(path), command[0]) if offered is None else offered
    check_command(command, offered)
    shards = count_of(values.get("shards"), "shards", 1, MOST_SHARDS)
    seeds = values.get("seeds")
    if "--seeds" in offered:
        seeds = seeds_of(seeds)
        if seeds[1] - seeds[0] + 1 < shards:
            raise Usage(f"shards: {shards} shards for the {seeds[1] - seeds[0] + 1} seeds of {values['seeds']}; "
                        f"expected at most one shard for each seed")
    elif seeds is not None:
        raise Usage(f"seeds: 'touchstone {command[0]}' has a fixed list of cases in place of seeds")
    if "--jobs" in offered and not has_option(command, "--jobs"):
        # One process per shard: the engine decides how many shards run at once.
        command = [*command, "--jobs", "1"]
    stop = values.get("stopAtFinding", False)
    if not isinstance(stop, bool):
        raise Usage(f"stopAtFinding: expected true or false, found '{stop}'")
    return Description(
        command=tuple(command), seeds=seeds, shards=shards, program=str(path),
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(), directory=str(directory),
        limit=seconds_of(values.get("limit", 0)), retries=count_of(values.get("retries", 2), "retries", 0, 100),
        stop=stop)


def read_object(path):
    """Returns the JSON object in a file, or raises Usage."""
    try:
        value = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Usage(f"{path}: expected a JSON object: {problem}") from None
    if not isinstance(value, dict):
        raise Usage(f"{path}: expected a JSON object, found {json.dumps(value)[:40]}")
    return value


def stored(folder):
    """Returns the description in a campaign's folder, without a look at the program."""
    path = pathlib.Path(folder) / FILE_NAME
    value = read_object(path)
    if value.get("format") != "touchstone campaign description" or value.get("version") != 1:
        raise Usage(f"{path}: expected a description of version 1 that tools/campaign wrote")
    try:
        return Description(
            command=tuple(value["command"]), seeds=None if value["seeds"] is None else seeds_of(value["seeds"]),
            shards=count_of(value["shards"], "shards", 1, MOST_SHARDS), program=value["program"],
            sha256=value["sha256"], directory=value["directory"], limit=seconds_of(value["limit"]),
            retries=count_of(value["retries"], "retries", 0, 100), stop=value["stopAtFinding"] is True)
    except (KeyError, TypeError) as problem:
        raise Usage(f"{path}: damaged description: {problem}") from None


def differences(old, new):
    """Returns a line for each member in which a campaign differs from the one in its folder."""
    before, after = old.identity(), new.identity()
    return [f"{name}: was {json.dumps(before[name])}, is {json.dumps(after[name])}"
            for name in before if before[name] != after[name]]
