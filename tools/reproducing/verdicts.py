"""Published numbers beside ours, and the verdict that follows from them by rule."""

from dataclasses import dataclass
from statistics import fmean

REPRODUCES, PARTLY, NOT, NONE = "reproduces", "partly", "does not", "not compared"
CLOSE, NEAR = 0.02, 0.05
SAME_WINNERS, SAME_ORDER = 2 / 3, 0.5
HOLDS, HOLDS_MOSTLY = 0.95, 0.5


def ranks(values):
    """Ranks from 1, the smallest first; ties share their mean."""
    ordered = sorted(values)
    return [fmean(i + 1 for i, other in enumerate(ordered) if other == value) for value in values]


def rank_correlation(first, second):
    """Spearman's; 0 where one side is constant."""
    a, b = ranks(first), ranks(second)
    centre = fmean(a)
    products = sum((x - centre) * (y - centre) for x, y in zip(a, b, strict=True))
    norms = sum((x - centre) ** 2 for x in a) * sum((y - centre) ** 2 for y in b)
    return products / norms**0.5 if norms > 0 else 0.0


@dataclass
class Comparison:
    """What a table of published and own values amounts to; None where it says nothing."""

    compared: int
    cells: int
    difference: float | None = None
    winners: tuple[int, int] | None = None
    order: float | None = None

    @property
    def verdict(self):
        if self.difference is None:
            return NONE
        same = self.winners is None or self.winners[0] >= SAME_WINNERS * self.winners[1]
        if self.difference <= CLOSE and same:
            return REPRODUCES
        ordered = self.order is not None and self.order >= SAME_ORDER
        told = self.winners is not None and same
        return PARTLY if self.difference <= NEAR or ordered or told else NOT


def compare(published, ours, lower=False, rivals=True):
    """Two tables as lists of rows, None where a value is missing.

    `rivals`: columns are methods, of which the one with the highest value wins, or with the lowest.
    """
    rows = [
        [(paper, own) for paper, own in zip(*row, strict=True) if None not in (paper, own)]
        for row in zip(published, ours, strict=True)
    ]
    pairs = [pair for row in rows for pair in row]
    result = Comparison(len(pairs), sum(value is not None for row in published for value in row))
    if not pairs:
        return result
    result.difference = fmean(abs(paper - own) for paper, own in pairs)
    best = min if lower else max
    several = [list(zip(*row, strict=True)) for row in rows if rivals and len(row) > 1]
    if several:
        same = [a[b.index(best(b))] == best(a) for a, b in several]
        result.winners = (sum(same), len(same))
    many = [row for row in several if len(row[0]) > 2]
    if many:
        result.order = fmean(rank_correlation(*row) for row in many)
    return result


def verdict_of_shares(shares):
    """Of statements, each with the share of cases in which it holds."""
    if not shares:
        return NONE
    share = fmean(shares)
    return REPRODUCES if share >= HOLDS else PARTLY if share >= HOLDS_MOSTLY else NOT
