"""Dask clusters on this machine, whose workers can be killed."""

import contextlib
import os
import signal
import time

import dask
import distributed

# Seconds for a worker to start, which takes a minute on a busy machine: what waits longer for one
# waits for one that nobody starts.
STARTING = 240
# Who is dead does not answer after half a minute either.
PATIENCE = {
    "distributed.comm.timeouts.connect": "5s",
    "distributed.scheduler.no-workers-timeout": f"{STARTING}s",
}


@contextlib.contextmanager
def local_client(n_workers, **settings):
    """A client of so many workers, which are threads unless processes=True."""
    settings = {"processes": False, "threads_per_worker": 1, "dashboard_address": None, **settings}
    with dask.config.set(PATIENCE):
        cluster = distributed.LocalCluster(n_workers=n_workers, **settings)
        try:
            with distributed.Client(cluster) as client:
                yield client
        finally:
            # Its list of workers cannot lose one that died before it was on it; all is closed then.
            with contextlib.suppress(KeyError):
                cluster.close()


def nannies(client):
    """Who starts the workers of a client, one each, anew if they die.

    A worker that dies before its nanny has heard from it is not started again, so that is waited
    for.
    """
    return [_heard_from(nanny) for nanny in client.cluster.workers.values()]


def _heard_from(nanny):
    for _ in range(10 * STARTING):
        process = nanny.process
        if process is not None and process.status is distributed.Status.running and process.pid:
            return nanny
        time.sleep(0.1)
    raise TimeoutError(f"{nanny} has started no worker in {STARTING} seconds")


def kill_workers_of(nannies):
    """Returns the numbers of their processes."""
    pids = [nanny.pid for nanny in nannies]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    return pids
