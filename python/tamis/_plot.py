"""Pictures of rankings."""

import numpy as np


def plot_scores(ranking, k, ax):
    """Horizontal bars of the k best scores, the best on top; a longer bar is a better score.

    Where lower scores are better, bars begin at the worst score of all and grow towards lower ones.
    Bars of infinite scores are a tenth longer than the longest finite one.
    """
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(layout="constrained")[1]
    columns = ranking.columns(k)
    places = range(len(columns))
    finite = ranking.scores[np.isfinite(ranking.scores)]
    is_lower = ranking.better == "lower" and len(finite) > 0
    worst = finite.max() if is_lower else 0.0
    longest = 1.1 * np.abs(finite - worst).max(initial=0.0) or 1.0
    lengths = ranking.scores[columns] - worst
    ax.barh(places, np.clip(lengths, -longest, 0.0 if is_lower else longest), left=worst)
    ax.set_yticks(places, map(str, ranking.top(k)))
    ax.invert_yaxis()
    if is_lower:
        ax.invert_xaxis()
    ax.set_xlabel(f"{ranking.how} ({ranking.better} is better)")
    return ax
