"""A feed that repeats rows before `since`, which is permitted without the profile `dense-changes`."""

from json_text import Number


class RepeatedChanges:
    """A page after the sequence of a row begins with this row again.

    A page with a limit of 1 repeats no row, because the feed would never end.
    """

    name = "changes-repeated"
    send = None

    def __init__(self, random):
        # By store: the sequence before each returned one.
        self.before = {}

    def request(self, message):
        operation = message.get("perform")
        if not isinstance(operation, dict) or operation.get("op") != "changes":
            return None
        limit = operation.get("limit")
        if "since" in operation and (limit is None or int(limit) > 1):
            earlier = self.before.get((operation["store"], key(operation["since"])))
            if earlier == "start":
                del operation["since"]
            elif earlier is not None:
                operation["since"] = earlier
        return None

    def reply(self, message, request):
        if "hello" in request and "ok" in message:
            profiles = message["ok"].get("profiles", [])
            message["ok"]["profiles"] = [name for name in profiles if name != "dense-changes"]
        operation, ok = request.get("perform") or {}, message.get("ok")
        if operation.get("op") != "changes" or not isinstance(ok, dict):
            return
        earlier = operation.get("since", "start")
        for row in ok["rows"]:
            self.before[operation["store"], key(row["seq"])] = earlier
            earlier = row["seq"]

    def syntax(self, syntax):
        pass


def key(sequence):
    return type(sequence) is Number, str(sequence)
