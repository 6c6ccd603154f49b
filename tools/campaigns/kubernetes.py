"""The manifest of an indexed Job of Kubernetes 1.29 or later, which has limits for each index."""

import json
import re

from description import Usage
from scripts import worker

PLACE = "/campaign"


def manifest(description, image, claim, jobs, name=None, program="touchstone", cpu="1", memory="1Gi"):
    """Returns a list of a config map with the script of a shard, and the Job."""
    name = name or f"touchstone-{description.command[0]}"
    for what, value in (("name", name), ("claim", claim)):
        if re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", value) is None:
            raise Usage(f"{what}: expected up to 63 of a-z, 0-9 and -, found '{value}'")
    # The folder of the image is the working directory: paths of this machine do not exist there.
    script = worker(description, PLACE, program=program, directory=".")
    container = {
        "name": "shard", "image": image,
        "command": ["/bin/sh", "-c", 'exec /bin/sh /script/shard "$((JOB_COMPLETION_INDEX + 1))"'],
        "resources": {"requests": {"cpu": cpu, "memory": memory}, "limits": {"memory": memory}},
        "volumeMounts": [{"name": "campaign", "mountPath": PLACE}, {"name": "script", "mountPath": "/script"}],
    }
    pod = {
        "restartPolicy": "Never", "terminationGracePeriodSeconds": 30, "containers": [container],
        "volumes": [
            {"name": "campaign", "persistentVolumeClaim": {"claimName": claim}},
            {"name": "script", "configMap": {"name": name}},
        ],
    }
    if description.limit:
        pod["activeDeadlineSeconds"] = description.limit + 120
    spec = {
        "completionMode": "Indexed", "completions": description.shards,
        "parallelism": min(jobs, description.shards), "backoffLimitPerIndex": description.retries,
        "maxFailedIndexes": description.shards,
        "podFailurePolicy": {"rules": [
            # A drained or lost node is no failure of the shard. Wrong usage fails again at every attempt.
            {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
            {"action": "FailIndex", "onExitCodes": {"containerName": "shard", "operator": "In", "values": [2]}},
        ]},
        "template": {"metadata": {"labels": {"app": name}}, "spec": pod},
    }
    return {"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"shard": script}},
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "labels": {"app": name}}, "spec": spec},
    ]}


def text(value):
    """Returns the manifest as JSON, which kubectl reads."""
    return json.dumps(value, indent=2) + "\n"
