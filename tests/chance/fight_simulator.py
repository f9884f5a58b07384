"""Fight for the Lead dealt many times over as a viewer was shown it: the rules said once more, for whole columns of deals.

Nothing of ``cardlab.chance`` and no view is used, but only the events that the viewer was shown. The cards that he has not seen are
shuffled; a deal in which somebody holds a suit that he did not follow is thrown away. A card is its code, 13·suit + rank; -1 is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import factorial, prod
from typing import Any

import numpy as np

from cardlab import TEACHER, Session
from cardlab.cards import Card
from cardlab.core.events import Seat, Viewer
from cardlab.games.fight_events import DropsOpened, Exchanged, FightCards, FightLaid, Played, Received, Reshuffled, Shuffled, Turned
from cardlab.games.fight_for_the_lead import FightForTheLead

Columns = np.ndarray[Any, Any]
BATCH = 200_000  # deals shuffled at a time


class Told:
    """What a viewer has been shown of the deal that a session stands in."""

    def __init__(self, session: Session, viewer: Viewer) -> None:
        game: FightForTheLead = session.game
        self.game, self.viewer, self.state = game, viewer, session.state  # of the state only what lies open
        self.playing: tuple[Seat, ...] = session.state.playing
        self.held: Counter[Seat] = Counter()
        self.hands: dict[Seat, list[Card]] = {seat: [] for seat in game.seats if viewer in (seat, TEACHER)}
        self.laid: dict[Seat, Card] = {}
        self.seen: set[Card] = set()
        self.voids: dict[Seat, set[int]] = defaultdict(set)
        events = [event for _, _, event in session.events(viewer)]
        dealt = [k for k, event in enumerate(events) if isinstance(event, Shuffled)]
        if dealt and session.game.phase(session.state) != "lot" and session.game.draw(session.state).verb != "shuffle":
            for event in events[dealt[-1] + 1 :]:
                self.follow(event)

    def follow(self, event: Any) -> None:
        match event:
            case Reshuffled():
                raise NotImplementedError("the turned cards go back into the stock")
            case Received(seat=seat, card=card):
                self.held[seat] += 1
                if card:
                    self.seen.add(card)
                    self.hands[seat].append(card)
            case FightLaid(seat=seat, card=card):
                self.hands[seat].remove(card)
                self.laid[seat] = card
            case Turned(card=card):
                self.seen.add(card)
            case FightCards(seats=seats, cards=cards):
                self.held.subtract(seats)
                self.seen.update(cards)
                self.laid = dict(zip(seats, cards, strict=True))
            case Exchanged(seat=seat, cards=cards):
                self.held[seat] -= len(cards)
                self.throw_away(seat, cards)
            case DropsOpened(seats=seats):
                for seat in seats:
                    self.held[seat] = 0
                    self.throw_away(seat, tuple(self.hands.get(seat, ())))
            case Played(seat=seat, card=card, suit=led):
                self.held[seat] -= 1
                self.seen.add(card)
                self.throw_away(seat, (card,))
                if card.suit != led:
                    self.voids[seat].add(led)

    def throw_away(self, seat: Seat, cards: tuple[Card, ...]) -> None:
        if seat in self.hands:
            self.hands[seat] = [card for card in self.hands[seat] if card not in cards]

    @property
    def hidden(self) -> list[int]:
        """The cards that may lie anywhere among those not seen."""
        return [card.code for card in self.game.size.pack if card not in self.seen]


def shuffled(random: Any, cards: list[int], n: int, wanted: int) -> Columns:
    """The first cards of n shuffled packs, one below the other."""
    order = np.tile(np.array(cards, dtype=np.int8), (n, 1))
    if wanted > 20:
        return random.permuted(order, axis=1)[:, :wanted]
    rows = np.arange(n)
    for k in range(wanted):
        other = random.integers(k, len(cards), n)
        order[rows, other], order[:, k] = order[:, k].copy(), order[rows, other]
    return order[:, :wanted]


def any_slot(random: Any, allowed: Columns) -> Columns:
    """In each row one of the columns that are allowed, each alike."""
    return np.argmax(random.random(allowed.shape, dtype=np.float32) * allowed, axis=1)


class Fights:
    """So many fights for the lead, before the fight cards are opened."""

    def __init__(self, told: Told, n: int, seed: int) -> None:
        self.told, self.n = told, n
        random = np.random.default_rng(seed)
        places = [(seat, 4 - (told.held[seat] if seat in told.hands else 0)) for seat in told.playing]
        hidden = told.hidden
        order = shuffled(random, hidden, n, len(hidden))
        dealt = sum(size for _, size in places)
        self.stock = order[:, dealt:]
        self.fight: dict[Seat, Columns] = {}
        first = 0
        for seat, size in places:
            known = [card.code for card in told.hands.get(seat, ())]
            hand = np.hstack([np.tile(np.array(known, dtype=np.int8), (n, 1)), order[:, first : first + size]])
            first += size
            if seat in told.laid:
                self.fight[seat] = np.full(n, told.laid[seat].code, dtype=np.int8)
            else:
                self.fight[seat] = hand[np.arange(n), random.integers(0, hand.shape[1], n)]

    def first_match(self) -> Counter[bool]:
        suits = np.stack([cards // 13 for cards in self.fight.values()])
        return Counter((suits == self.stock[:, 0] // 13).any(axis=0).tolist())

    def suit_turned(self, card: Card) -> int:
        return int((self.stock[:, 0] // 13 == card.suit).sum())

    def wins_lead(self, me: Seat, card: Card) -> int:
        others = np.stack([cards for seat, cards in self.fight.items() if seat != me])
        turned = self.stock // 13
        fits = turned == card.suit
        for cards in others:
            fits |= turned == (cards // 13)[:, None]
        found = fits.any(axis=1)
        suit = turned[np.arange(self.n), np.argmax(fits, axis=1)]
        beaten = ((others // 13 == suit) & (others > card.code)).any(axis=0)
        highest = (others % 13 < card.code % 13).all(axis=0)  # FL-6: nothing fits, so that all are of one suit
        return int(np.where(found, (suit == card.suit) & ~beaten, highest).sum())


class Tricks:
    """So many deals played on from a moment of the tricks, everybody playing any card alike that he may."""

    def __init__(self, told: Told, n: int, seed: int, forget_voids: bool = False) -> None:
        self.told, self.n, self.state = told, n, told.state
        self.random = np.random.default_rng(seed)
        self.seats: tuple[Seat, ...] = told.state.staying
        most = max(told.held[seat] for seat in self.seats)
        self.hands = np.full((n, len(self.seats), most), -1, dtype=np.int8)
        hidden = [seat for seat in self.seats if seat not in told.hands]
        for k, seat in enumerate(self.seats):
            for slot, card in enumerate(told.hands.get(seat, ())):
                self.hands[:, k, slot] = card.code
        self.deal({} if forget_voids else told.voids, hidden)

    def deal(self, voids: dict[Seat, set[int]], hidden: list[Seat]) -> None:
        """The unseen hands, from as many shuffles as it takes."""
        wanted, done = sum(self.told.held[seat] for seat in hidden), 0
        while done < self.n and wanted:
            cards = shuffled(self.random, self.told.hidden, min(BATCH, self.n * (4 if voids else 1)), wanted)
            keep, first = np.ones(len(cards), dtype=bool), 0
            for seat in hidden:
                suits = cards[:, first : first + self.told.held[seat]] // 13
                for suit in voids.get(seat, ()):
                    keep &= (suits != suit).all(axis=1)
                first += self.told.held[seat]
            cards = cards[keep][: self.n - done]
            first = 0
            for seat in hidden:
                held = self.told.held[seat]
                self.hands[done : done + len(cards), self.seats.index(seat), :held] = cards[:, first : first + held]
                first += held
            done += len(cards)

    def play(self, card: Card | None = None) -> None:
        """All tricks to their end; ``card`` is what the seat to act plays now. Afterwards ``taker`` and ``tricks`` are known."""
        rows, size = np.arange(self.n), len(self.seats)
        hands = self.hands.copy()
        laid = self.state.trick
        led = np.full(self.n, laid[0][1].suit if laid else -1)
        high, by = np.full(self.n, -1), np.zeros(self.n, dtype=int)
        for seat, other in laid:
            if other.suit == led[0] and other.code > high[0]:
                high[:], by[:] = other.code, self.seats.index(seat)
        mover = np.full(self.n, self.seats.index(self.state.mover))
        self.tricks = np.tile(np.array([self.state.tricks[seat] for seat in self.seats]), (self.n, 1))
        self.taker: Columns | None = None
        lying = len(laid)
        for _ in range(int((hands[0] >= 0).sum())):
            hand = hands[rows, mover]
            follows = (hand >= 0) & (hand // 13 == led[:, None])
            slot = any_slot(self.random, np.where(follows.any(axis=1)[:, None], follows, hand >= 0))
            if card is not None:
                slot, card = np.argmax(hand == card.code, axis=1), None
            played = hand[rows, slot].astype(int)
            hands[rows, mover, slot] = -1
            led = np.where(led < 0, played // 13, led)
            higher = (played // 13 == led) & (played > high)
            high, by = np.where(higher, played, high), np.where(higher, mover, by)
            lying += 1
            mover = (mover + 1) % size
            if lying == size:
                self.taker = by.copy() if self.taker is None else self.taker
                self.tricks[rows, by] += 1
                mover, lying = by.copy(), 0
                led, high = np.full(self.n, -1), np.full(self.n, -1)

    def takers(self, card: Card | None = None) -> Counter[Seat]:
        """Who takes the trick on the table."""
        self.play(card)
        assert self.taker is not None
        return Counter({self.seats[k]: times for k, times in Counter(self.taker.tolist()).items()})

    def quarters(self) -> Counter[Seat]:
        """Whose is one of the four tricks, drawn alike: the mean of the tricks as a count."""
        drawn = self.random.integers(0, 4, self.n)
        before = np.cumsum(self.tricks, axis=1)
        return Counter(self.seats[k] for k in (drawn[:, None] >= before).sum(axis=1).tolist())

    def losers(self) -> Counter[Seat]:
        return Counter({seat: int((self.tricks[:, k] == 0).sum()) for k, seat in enumerate(self.seats)})

    def next_banks(self) -> Counter[int]:
        """What is staked in the next deal (FL-1, FL-17) when everybody goes on."""
        rules = self.told.game.rules
        bank = self.state.bank
        penalty = bank if rules.penalty_cap == "none" else min(bank, rules.penalty_cap * rules.stake)
        losers = (self.tricks == 0).sum(axis=1)
        stake = np.where(losers > 0, 0, rules.stake) if rules.who_antes == "losers_only" else rules.stake
        return Counter((losers * penalty + (len(self.told.playing) - losers) * stake).tolist())

    @property
    def plays(self) -> int:
        """In how many ways the cards can be played, whatever suits they are."""
        return prod(factorial(int(held)) for held in (self.hands[0] >= 0).sum(axis=1))

    def forced(self, me: Seat) -> Counter[int]:
        """How many tricks of the deal a seat can force against all the others with open cards, by minimax over every play."""
        kinds, times = np.unique(self.hands, axis=0, return_counts=True)
        laid = self.state.trick
        led = laid[0][1].suit if laid else -1
        high, best = max(((card.code, self.seats.index(seat)) for seat, card in laid if card.suit == led), default=(-1, 0))
        start = (np.full(len(kinds), value) for value in (self.seats.index(self.state.mover), led, high, best))
        found = self.state.tricks[me] + _forced(kinds, self.seats.index(me), len(laid), *start)
        counts: Counter[int] = Counter()
        for value, number in zip(found.tolist(), times.tolist(), strict=True):
            counts[value] += number
        return counts


def _forced(hands: Columns, me: int, lying: int, mover: Columns, led: Columns, high: Columns, best: Columns) -> Columns:
    """The tricks to come that ``me`` can force, for each row; a hand's cards stand in its first slots."""
    rows, size = np.arange(len(hands)), hands.shape[1]
    hand = hands[rows, mover]
    if lying == 0 and not (hand >= 0).any():
        return np.zeros(len(hands), dtype=int)
    last = (hand >= 0).sum(axis=1) - 1
    may_follow = ((hand >= 0) & (hand // 13 == led[:, None])).any(axis=1)
    mine = mover == me
    found = np.where(mine, -1, 99)
    for slot in range(int(last.max()) + 1):
        card = hand[:, slot].astype(int)
        legal = (card >= 0) & (~may_follow | (card // 13 == led))
        after = hands.copy()
        after[rows, mover, slot] = hand[rows, last]
        after[rows, mover, last] = -1
        suit = np.where(led < 0, card // 13, led)
        higher = (card // 13 == suit) & (card > high)
        by, top = np.where(higher, mover, best), np.where(higher, card, high)
        if lying + 1 == size:
            none = np.full(len(hands), -1)
            value = (by == me) + _forced(after, me, 0, by, none, none, np.zeros(len(hands), dtype=int))
        else:
            value = _forced(after, me, lying + 1, (mover + 1) % size, suit, top, by)
        found = np.where(legal, np.where(mine, np.maximum(found, value), np.minimum(found, value)), found)
    return found
