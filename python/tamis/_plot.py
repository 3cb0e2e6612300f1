"""Pictures of rankings."""

import numpy as np


def plot_scores(ranking, k, ax):
    """Horizontal bars of the k best scores, the best on top; a longer bar is a better score.

    Where lower scores are better, bars begin at the worst score of all and grow towards lower ones.
    """
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(layout="constrained")[1]
    columns = ranking.columns(k)
    places = range(len(columns))
    is_lower = ranking.better == "lower" and np.isfinite(ranking.scores).any()
    worst = np.nanmax(ranking.scores) if is_lower else 0.0
    ax.barh(places, ranking.scores[columns] - worst, left=worst)
    ax.set_yticks(places, map(str, ranking.top(k)))
    ax.invert_yaxis()
    if is_lower:
        ax.invert_xaxis()
    ax.set_xlabel(f"{ranking.how} ({ranking.better} is better)")
    return ax
