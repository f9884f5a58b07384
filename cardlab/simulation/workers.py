"""Who plays the games of a simulation: threads of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Final, TypeVar

from cardlab.core.errors import BadRequest, quoted
from cardlab.simulation.plan import Plan, Span
from cardlab.simulation.tally import Tally

T = TypeVar("T")
Part = tuple[Tally, Span]
AHEAD: Final = 2  # batches handed out for each thread
PATIENCE: Final = 10  # seconds until a scheduler has answered and a worker has come


class Lost(Exception):
    """The cluster is gone, or one batch after another fails there."""


def spread(work: Callable[[Span], T], spans: Iterator[Span], threads: int) -> Generator[tuple[Span, T], None, None]:
    """The results as they come from so many threads."""
    if threads == 1:
        yield from ((span, work(span)) for span in spans)
        return
    with ThreadPoolExecutor(threads, "simulate") as pool:
        running = {pool.submit(work, span): span for span in islice(spans, AHEAD * threads)}
        try:
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    span = running.pop(future)
                    for more in islice(spans, 1):
                        running[pool.submit(work, more)] = more
                    yield span, future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def here(plan: Plan, spans: Iterator[Span], threads: int, cancelled: Callable[[], bool]) -> Generator[Part, None, None]:
    """The parts as they come from threads of this machine; the engine holds the interpreter's lock, so that one thread plays its games."""
    played = spread(lambda span: plan.tally(span, cancelled), spans, threads if plan.compiled else 1)
    return (part for _, part in played)


def elsewhere(plan: Plan, spans: Iterator[Span], scheduler: Any) -> Generator[Part, None, None]:
    """The parts as they come from a cluster; a batch whose worker dies is played by another one. Raises BadRequest, Lost."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise BadRequest("error.no_dask") from None
    own = not isinstance(scheduler, Client)
    client = _connected(Client, scheduler) if own else scheduler
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise BadRequest("error.no_workers", address=_address(client)) from None
        hand_out = sum(client.nthreads().values()) * AHEAD
        futures = as_completed([client.submit(plan.tally, span, pure=False) for span in islice(spans, hand_out)], loop=client.loop)
        for future in futures:
            try:
                part: Part = future.result()
            except Exception as fault:
                raise Lost(_first_line(fault)) from fault
            for span in islice(spans, 1):
                futures.add(client.submit(plan.tally, span, pure=False))
            yield part
    except OSError as fault:  # what Dask raises when the scheduler has gone is one of these
        raise Lost(_first_line(fault)) from fault
    finally:
        if own:
            client.close(timeout=1)


def _connected(client: Any, scheduler: Any) -> Any:
    if not isinstance(scheduler, str):
        raise BadRequest("error.scheduler", address=quoted(scheduler))
    try:
        return client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError):
        raise BadRequest("error.scheduler", address=quoted(scheduler)) from None


def _address(client: Any) -> str:
    return str(client.scheduler.address) if client.scheduler is not None else "?"


def _first_line(fault: BaseException) -> str:
    return (str(fault) or type(fault).__name__).splitlines()[0][:120]
