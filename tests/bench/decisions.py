"""How long a decision takes, in each game, through a session, and in two known libraries: ``python tests/bench/decisions.py``.

One decision of cardlab is ``legal`` and ``apply``, and the events of the step folded into the view of the seat that acts; of python-chess
the list of the legal moves and ``push``; of pokerkit what is asked before a bet (may he fold, call, raise, from what to what) and the
bet. Random games are played beforehand; those of cardlab and of chess are played again, move for move, and timed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from time import thread_time
from typing import Any

from cardlab import GAMES, Session, game
from cardlab.core.events import Event, Seat
from cardlab.core.game import Action, AnyGame

PEERS = ("chess", "pokerkit")
PLAYED = {"suicide_king": 30, "fight_for_the_lead": 12, "poker_marshal": 10}  # games
MATCHES, HANDS = 30, 100
POKER = (False, 0, (1, 2), 2, 200, 6)  # no antes, blinds, least bet, stacks, players
Decision = tuple[Any, Action, Seat, Any]


def told(played: AnyGame, view: Any, events: tuple[Event, ...], seat: Seat) -> Any:
    """A view after some events."""
    for event in events:
        shown = event.seen(seat)
        if shown is not None:
            view = played.see(view, shown)
    return view


@cache
def games(name: str) -> list[list[Action]]:
    """The actions of random games, chance included."""
    sessions = [Session(game(name), seed=7, index=index) for index in range(PLAYED[name])]
    return [[step.action for step in session.auto("random", until="game")] for session in sessions]


def decisions(played: AnyGame, actions: list[Action]) -> Iterator[Decision]:
    """The decisions of a game: the state, the action, who acts, and his view before."""
    state, views = played.start(), {seat: played.blank(seat) for seat in played.seats}
    for action in actions:
        actor, step = played.actor(state), played.apply(state, action)
        if isinstance(actor, Seat):
            yield state, action, actor, views[actor]
        for seat in played.seats:
            views[seat] = told(played, views[seat], step.events, seat)
        state = step.after


def engine(name: str) -> float:
    """Decisions a second of a game's engine; chance acts, and the other seats look, while the clock stands."""
    played = game(name)
    done, seconds = 0, 0.0
    for actions in games(name):
        taken = list(decisions(played, actions))
        began = thread_time()
        for state, action, seat, view in taken:
            played.legal(state)
            told(played, view, played.apply(state, action).events, seat)
        seconds += thread_time() - began
        done += len(taken)
    return done / seconds


def sessions(name: str) -> float:
    """Decisions a second through a session: it keeps all moments, and a view first learns what others did since its seat's last turn."""
    done, seconds = 0, 0.0
    for actions in games(name):
        session = Session(game(name), seed=7)
        for action in actions:
            actor = session.actor
            began = thread_time()
            if isinstance(actor, Seat):
                done += 1
                assert session.legal
                session.play(action)
                session.view(actor)
                seconds += thread_time() - began
            else:
                session.play(action)
    return done / seconds


@cache
def matches() -> list[list[Any]]:
    """The moves of random games of chess."""
    import chess

    choose = random.Random(7)
    found = []
    for _ in range(MATCHES):
        board = chess.Board()
        while not board.is_game_over():
            board.push(choose.choice(list(board.legal_moves)))
        found.append(board.move_stack)
    return found


def chess() -> float:
    """Decisions a second of python-chess."""
    from chess import Board

    taken = matches()
    began = thread_time()
    for moves in taken:
        board = Board()
        for move in moves:
            list(board.legal_moves)
            board.push(move)
    return sum(map(len, taken)) / (thread_time() - began)


def pokerkit() -> float:
    """Decisions a second of pokerkit, in random hands of no-limit hold'em; the cards are dealt while the clock stands."""
    from pokerkit import Automation, NoLimitTexasHoldem

    choose = random.Random(7)
    random.seed(7)  # pokerkit shuffles with it
    dealt = (Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING)
    automatic = tuple(kind for kind in Automation if kind not in dealt)
    done, seconds = 0, 0.0
    for _ in range(HANDS):
        hand = NoLimitTexasHoldem.create_state(automatic, *POKER)
        while hand.status:
            if hand.can_deal_hole():
                hand.deal_hole()
            elif hand.can_burn_card():
                hand.burn_card()
            elif hand.can_deal_board():
                hand.deal_board()
            else:
                began = thread_time()
                raises = (hand.min_completion_betting_or_raising_to_amount, hand.max_completion_betting_or_raising_to_amount)
                may = [hand.can_fold(), hand.can_check_or_call(), hand.can_complete_bet_or_raise_to()]
                asked = thread_time()
                choice = choose.choice([k for k, allowed in enumerate(may) if allowed])
                chosen = thread_time()
                if choice == 0:
                    hand.fold()
                elif choice == 1:
                    hand.check_or_call()
                else:
                    hand.complete_bet_or_raise_to(raises[0])
                seconds += thread_time() - chosen + asked - began
                done += 1
    return done / seconds


def slowest() -> float:
    """Decisions a second of the game whose engine is the slowest."""
    return min(engine(name) for name in GAMES)


def fastest_peer() -> float:
    """Decisions a second of the faster library."""
    return max(chess(), pokerkit())


def missing() -> str:
    """What is to be done before the libraries can be measured; empty when both are there."""
    absent = [name for name in PEERS if find_spec(name) is None]
    return f"pip install {' '.join(absent)}" if absent else ""


def main() -> None:
    measured: dict[str, Callable[[], float]] = {name: lambda name=name: engine(name) for name in GAMES}  # type: ignore[misc]
    measured |= {f"{name}, a session": lambda name=name: sessions(name) for name in GAMES}  # type: ignore[misc]
    if missing():
        print(f"No comparison with {' and '.join(PEERS)}: {missing()}.", file=sys.stderr)
    else:
        measured |= {"python-chess": chess, "pokerkit": pokerkit}
    for label, rate in measured.items():
        rate()
        print(f"{label:32} {1e6 / max(rate() for _ in range(3)):8.1f} microseconds a decision")


if __name__ == "__main__":
    main()
