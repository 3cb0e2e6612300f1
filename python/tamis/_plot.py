"""Pictures of rankings."""


def plot_scores(ranking, k, ax):
    """Horizontal bars of the k best scores, the best on top."""
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(layout="constrained")[1]
    columns = ranking.columns(k)
    places = range(len(columns))
    ax.barh(places, ranking.scores[columns])
    ax.set_yticks(places, ranking.top(k))
    ax.invert_yaxis()
    ax.set_xlabel(f"{ranking.method} ({ranking.better} is better)")
    return ax
