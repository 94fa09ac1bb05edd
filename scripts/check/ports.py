"""List the ports that clusters listen on, and try to enter one with TLS without its key.

    python -m scripts.check.ports [--help]

The script starts a cluster on this machine. It also starts a scheduler and a worker as
patterns_db/README.md does, with certificates made by openssl. Returns 1 if a port is open to other
machines, or if a stranger got in.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from engine import YomiError
from patterns_db.cluster.connection import Tls, open_cluster

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
DAYS = "2"


def listening(process: psutil.Process) -> list[str]:
    """Return the addresses that ss lists for a process and its descendants."""
    family = {process.pid, *(child.pid for child in process.children(recursive=True))}
    said = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
    return sorted(
        line.split()[3]
        for line in said.splitlines()
        if any(f"pid={number}," in line for number in family)
    )


def report(what: str, addresses: list[str]) -> bool:
    """Print the addresses; return whether there are any and all are on loopback."""
    print(f"{what}: {len(addresses)} ports: {', '.join(addresses)}")
    return bool(addresses) and all(address.startswith("127.0.0.1:") for address in addresses)


def make_certificates(folder: Path) -> Tls:
    """Make an authority and one certificate, as the page says."""
    authority, own = (["-keyout", f"{name}.key", "-nodes"] for name in ("ca", "yomi"))
    request = ["openssl", "req", "-newkey", "rsa:2048"]
    for command in (
        [*request, "-x509", *authority, "-out", "ca.pem", "-days", DAYS, "-subj", "/CN=yomi"],
        [*request, *own, "-out", "yomi.csr", "-subj", "/CN=yomi-node"],
        [*"openssl x509 -req -in yomi.csr -CA ca.pem -CAkey ca.key -CAcreateserial".split(),
         "-out", "yomi.pem", "-days", DAYS],
    ):  # fmt: skip
        subprocess.run(command, cwd=folder, check=True, **QUIET)
    return Tls(folder / "ca.pem", folder / "yomi.pem", folder / "yomi.key")


def can_connect(address: str, tls: Tls | None) -> bool:
    """Return whether a cluster lets us in."""
    try:
        with open_cluster(address, print, tls):
            return True
    except YomiError as error:
        print(f"{address}: {error}")
        return False


def by_hand(folder: Path) -> bool:
    """Start a cluster with TLS by hand; return whether we get in and nobody else does."""
    tls, other = make_certificates(folder), folder / "other"
    other.mkdir()
    stranger = make_certificates(other)
    options = ["--tls-ca-file", str(tls.ca), "--tls-cert", str(tls.cert), "--tls-key", str(tls.key)]
    dask = [sys.executable, "-m"]
    processes = [
        subprocess.Popen([*dask, *words, *options], **QUIET)
        for words in (
            ["distributed.cli.dask_scheduler", "--host", "tls://127.0.0.1:8799",
             "--dashboard-address", "127.0.0.1:0"],
            ["distributed.cli.dask_worker", "tls://127.0.0.1:8799", "--host", "127.0.0.1",
             "--dashboard-address", "127.0.0.1:0", "--nthreads", "1"],
        )
    ]  # fmt: skip
    try:
        # A worker may take as long as yomi itself to start.
        inside = any(can_connect("tls://127.0.0.1:8799", tls) for _ in range(8))
        ports = [address for one in processes for address in listening(psutil.Process(one.pid))]
        closed = report("by hand, with TLS", ports)
        strangers = [can_connect("tls://127.0.0.1:8799", stranger)]
        strangers += [can_connect("tcp://127.0.0.1:8799", None)]
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()
    print(f"with the certificate: {inside}; with another, without any: {strangers}")
    return inside and closed and not any(strangers)


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at both clusters; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.parse_args(arguments)
    with open_cluster("local:2"):
        good = report("local:2", listening(psutil.Process(os.getpid())))
    with TemporaryDirectory() as folder:
        good &= by_hand(Path(folder))
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
