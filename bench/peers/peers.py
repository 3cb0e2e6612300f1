"""The same work done with what a user would pick instead: NumPy, SciPy, scikit-learn, pandas."""

import faiss
import fastcluster
import h5py
import numpy as np
import pandas as pd
import polars as pl
import scipy.linalg
import scipy.sparse
import somoclu
from minisom import MiniSom
from mrmr import mrmr_classif
from scipy.spatial import distance
from scipy.special import xlogy
from scipy.stats import rankdata
from skfeature.function.similarity_based import fisher_score, lap_score
from skfeature.utility import construct_W
from sklearn.cluster import KMeans
from sklearn.feature_selection import f_classif
from sklearn.impute import KNNImputer
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors, kneighbors_graph
from sklearn.tree import DecisionTreeClassifier
from skrebate import ReliefF

K = 10


def nearest_neighbors(x):
    """scikit-learn's brute force, its default for wide tables."""
    return NearestNeighbors(n_neighbors=K, algorithm="brute").fit(x).kneighbors()


def flat_index(x):
    """faiss' exact search, on one core."""
    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatL2(x.shape[1])
    index.add(x)
    return index.search(x, K + 1)


def heat_graph(x):
    """The symmetric neighbour graph with weights exp(-d^2/t), t = mean squared distance."""
    graph = kneighbors_graph(x, K, mode="distance")
    t = 2 * x.var(axis=0, ddof=1).sum()
    graph.data = np.exp(-(graph.data**2) / t)
    return graph.maximum(graph.T)


def scoring(x, graph):
    """f~'Lf~ / f~'Df~ of every column."""
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    centred = x - (degrees @ x) / degrees.sum()
    spread = degrees @ (centred * centred)
    return (spread - (centred * (graph @ centred)).sum(axis=0)) / spread


def all_pairs(x):
    """Degrees and sum of w_ij (f_i - f_j)^2 over all pairs, as matrix products allow it."""
    squared = distance.cdist(x, x, "sqeuclidean")
    weights = np.exp(-squared / (squared.sum() / (len(x) * (len(x) - 1))))
    np.fill_diagonal(weights, 0.0)
    degrees = weights.sum(axis=1)
    centred = x - x.mean(axis=0)
    return degrees, degrees @ centred**2 - np.einsum("ij,ij->j", centred, weights @ centred)


def laplacian_score(x):
    return scoring(x, heat_graph(x))


def scikit_feature_score(x):
    """scikit-feature's, as its successor on PyPI has it."""
    t = 2 * x.var(axis=0, ddof=1).sum()
    graph = construct_W.construct_W(
        x, metric="euclidean", neighbor_mode="knn", weight_mode="heat_kernel", k=K, t=t
    )
    return lap_score.lap_score(x, W=graph, mode="raw")


def scikit_feature_fisher_score(x, labels):
    """scikit-feature's, from a graph of all pairs."""
    return fisher_score.fisher_score(x, labels, mode="rank")


def analysis_of_variance(x, labels):
    """scikit-learn's, a constant times the same score."""
    return f_classif(x, labels)


def sparse_nearest_neighbors(x):
    """SciPy's sparse product and a partition of the distances."""
    norms = np.asarray(x.multiply(x).sum(axis=1)).ravel()
    distances = norms[:, None] + norms[None, :] - 2 * (x @ x.T).toarray()
    np.fill_diagonal(distances, np.inf)
    nearest = np.argpartition(distances, K, axis=1)[:, :K]
    order = np.argsort(np.take_along_axis(distances, nearest, axis=1), axis=1)
    return np.take_along_axis(nearest, order, axis=1)


def read_csv(path):
    return pd.read_csv(path, engine="c")


def read_csv_by_polars(path):
    """On one core, if POLARS_MAX_THREADS says so."""
    return pl.read_csv(path)


def read_h5ad(path):
    """The matrix and the names of its rows and columns: what anndata and ours read, too."""
    with h5py.File(path) as file:
        group = file["X"]
        parts = tuple(group[name][:] for name in ("data", "indices", "indptr"))
        names = tuple(file[axis]["_index"].asstr()[:] for axis in ("obs", "var"))
        return scipy.sparse.csr_matrix(parts, shape=group.attrs["shape"]), *names


def fill_nearest(x):
    return KNNImputer(n_neighbors=5).fit_transform(x)


def ward(x):
    """fastcluster's routine for vectors: like ours, it keeps no matrix of all distances."""
    return fastcluster.linkage_vector(x, "ward")


def som(x, sheet_rows, sheet_cols, epochs):
    """somoclu's dense kernel on a hexagonal sheet."""
    som = somoclu.Somoclu(sheet_cols, sheet_rows, gridtype="hexagonal", compactsupport=False)
    som.train(x, epochs=epochs)


def minisom(x, sheet_rows, sheet_cols, epochs):
    """MiniSom's, one row after the other."""
    som = MiniSom(sheet_rows, sheet_cols, x.shape[1], topology="hexagonal")
    som.train_batch(x, epochs * len(x))


def nearest_neighbor_prefixes(x, longest):
    """A classifier for every prefix; even rows train, odd rows are predicted."""
    train, test = x[::2], x[1::2]
    labels = np.arange(len(train)) % 10
    for length in range(1, longest + 1):
        KNeighborsClassifier(1).fit(train[:, :length], labels).predict(test[:, :length])


def kmeans(x, n_clusters, iterations):
    """Lloyd's algorithm of scikit-learn from the first rows."""
    start = x[:n_clusters]
    KMeans(n_clusters, init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd").fit(x)


def committee(x, members, stand_in=lambda free: free):
    """Constrained Laplacian scores on random subspaces; the first 30 rows are of three classes,
    and of the others something may stand in for them."""
    rng = np.random.default_rng(0)
    classes = np.where(np.arange(len(x)) < 30, np.arange(len(x)) % 3, -1)
    size = round(x.shape[1] ** 0.5)
    for _ in range(members):
        features = np.sort(rng.permutation(x.shape[1])[:size])
        rows = rng.integers(0, 30, 30)
        free = stand_in(x[30:, features])
        committee_member(np.concatenate([x[np.ix_(rows, features)], free]), classes[rows])


def batch_map(x):
    """The units of a hexagonal map, trained by batches from the plane of two principal axes."""
    n, mean = len(x), x.mean(axis=0)
    values, vectors = np.linalg.eigh((x - mean).T @ (x - mean) / n)
    units = np.ceil(5 * n**0.5)
    cols = max(1, round((units * (values[-2] / values[-1]) ** 0.5 * 0.75**0.5) ** 0.5))
    rows = max(1, round(units / cols))
    row, col = np.divmod(np.arange(rows * cols), cols)
    place = np.stack([col + 0.5 * (row % 2), row * 0.75**0.5], axis=1)
    apart = ((place[:, None] - place) ** 2).sum(axis=2)
    plane = np.stack([2 * row / max(rows - 1, 1) - 1, 2 * col / max(cols - 1, 1) - 1], axis=1)
    codebook = mean + plane * np.sqrt(values[:-3:-1]) @ vectors[:, :-3:-1].T
    widest = max(1, np.ceil(max(rows, cols) / 4))
    middle = max(1, widest / 4)
    rough, fine = (int(np.ceil(per_row * len(place) / n)) for per_row in (10, 40))
    for radius in (*np.linspace(widest, middle, rough), *np.linspace(middle, 1, fine)):
        best = ((codebook**2).sum(axis=1) - 2 * x @ codebook.T).argmin(axis=1)
        at = np.zeros((len(place), n))
        at[best, np.arange(n)] = 1
        near = np.exp(-apart / (2 * radius**2))
        codebook = near @ (at @ x) / (near @ at.sum(axis=1))[:, None]
    return codebook


def committee_member(x, classes):
    """The score of every column; the first rows have classes, neighbours are among the others."""
    labeled = len(classes)
    free = x[labeled:]
    norms = (free * free).sum(axis=1)
    distances = norms[:, None] + norms[None, :] - 2 * (free @ free.T)
    np.fill_diagonal(distances, np.inf)
    near = np.argpartition(distances, K - 1, axis=1)[:, :K].ravel()
    own = np.repeat(np.arange(len(free)), K)
    edges = np.unique(np.minimum(own, near) * len(free) + np.maximum(own, near))
    a, b = np.triu_indices(labeled, 1)
    alike = classes[a] == classes[b]
    i = np.concatenate([edges // len(free) + labeled, a[alike]])
    j = np.concatenate([edges % len(free) + labeled, b[alike]])
    squares = (x[i] - x[j]) ** 2
    weights = np.exp(-squares.sum(axis=1) / (2 * x.var(axis=0, ddof=1).sum()))
    degrees = np.bincount(i, weights, len(x)) + np.bincount(j, weights, len(x))
    a, b = a[~alike], b[~alike]
    partners = np.bincount(a, minlength=len(x)) + np.bincount(b, minlength=len(x))
    factors = (partners > 0).sum() - partners if len(a) else np.ones(len(x))
    apart = (degrees[a] + degrees[b]) @ (x[a] - x[b]) ** 2
    return 2 * (weights @ squares) / (apart + (factors * degrees) @ (x - x.mean(axis=0)) ** 2)


def rank_columns(x):
    """Average ranks of every column."""
    return rankdata(x, axis=0)


def ridge_omp(x, labels, n_greedy=50):
    """The order of all columns, none judged; x is dense, labels are -1 or a class."""
    z = rank_columns(x)
    z -= z.mean(axis=0)
    deviation = z.std(axis=0)
    z /= np.where(deviation > 0, deviation, 1)
    g = np.abs(z - np.median(z, axis=0)).mean(axis=0) ** 2
    spread_labels, reliability, merit = spread_target(z, g, labels)
    share = (1 + reliability) / 2
    target = np.hstack(
        [np.sqrt(share) * spread_labels, np.sqrt(1 - share) * principal_scores(z * np.sqrt(g))]
    )
    mean_merit = (g * merit).sum() / g.sum()
    weights = g * np.sqrt(reliability * merit + (1 - reliability) * mean_merit)
    return matching(z / np.sqrt(len(z)), weights, target, deviation > 0, n_greedy)


def spread_target(z, g, labels):
    """Labels spread by kernel ridge regression, how far to trust them, and what columns say."""
    rows = np.flatnonzero(labels >= 0)
    one_hot = (labels[rows, None] == np.unique(labels[rows])).astype(float)
    n_labels, n_classes = one_hot.shape
    sizes = one_hot.sum(axis=0)
    y = one_hot * (n_labels / n_classes) / sizes
    centred = z - z[rows].mean(axis=0)
    kernel = (centred[rows] * g) @ centred[rows].T
    ridge = 0.3 * np.trace(kernel) / n_labels * np.eye(n_labels)
    scores = (centred * g) @ (centred[rows].T @ np.linalg.solve(kernel + ridge, y - y.mean(axis=0)))
    scores -= scores.mean(axis=0)
    shares = np.exp(4 * scores / scores.std(axis=0))
    shares /= shares.sum(axis=1, keepdims=True)
    mean = shares.mean(axis=0)
    target = (shares - mean) / np.sqrt(mean)
    means = (one_hot.T @ z[rows]) / sizes[:, None]
    between = sizes @ (means - z[rows].mean(axis=0)) ** 2
    within = ((z[rows] - one_hot @ means) ** 2).sum(axis=0)
    ratio = (g @ between / (n_classes - 1)) / (g @ within / (n_labels - n_classes))
    target /= np.sqrt((target**2).sum(axis=1).mean())
    return target, np.clip(1 - 1 / ratio, 0, 1), between / n_labels


def principal_scores(a, count=10, extra=10, steps=6):
    """Of the leading components, by randomised subspace iteration."""
    basis = a @ np.random.default_rng(0).standard_normal((a.shape[1], count + extra))
    for _ in range(steps):
        basis = a @ np.linalg.qr(a.T @ np.linalg.qr(basis)[0])[0]
    basis = np.linalg.qr(basis)[0]
    left, singular, _ = np.linalg.svd(basis.T @ a, full_matrices=False)
    scores = basis @ (left * singular)[:, :count]
    return scores / np.sqrt((scores**2).sum(axis=1).mean())


def matching(z, weights, target, varies, n_greedy, nugget=1.0):
    """Greedy matching, chosen columns read with noise; one product with all columns per step."""
    products = z.T @ target
    left = varies.astype(float)
    first = weights * (products**2).sum(axis=1)
    chosen, factor = [], np.empty((z.shape[1], 0))
    while len(chosen) < n_greedy:
        free = left > 1e-6
        free[chosen] = False
        gains = np.where(free, weights * (products**2).sum(axis=1) / (left + nugget), 0)
        best = int(np.argmax(gains))
        if gains[best] <= 1e-12 * first.max():
            break
        chosen.append(best)
        root = np.sqrt(left[best] + nugget)
        shares = (z.T @ z[:, best] - factor @ factor[best]) / root
        factor = np.column_stack([factor, shares])
        products -= np.outer(shares, products[best] / root)
        left = np.maximum(0, left - shares**2)
    rest = np.argsort(-first, kind="stable")
    return chosen + [int(j) for j in rest if j not in set(chosen)]


def relieff(x, labels):
    """skrebate's, on one core."""
    return ReliefF(n_neighbors=K, n_jobs=1).fit(x, labels).feature_importances_


def mrmr_selection(x, labels, count=50):
    """The package of that name with its defaults: F statistics and correlations."""
    frame = pd.DataFrame(x)
    return mrmr_classif(frame, pd.Series(labels), K=count, n_jobs=1, show_progress=False)


class States:
    """Columns in three states as 0/1 matrices, and what they tell, in nats."""

    def __init__(self, x, labels, width=0.5):
        deviation, border = x - x.mean(axis=0), width * x.std(axis=0) * (1 + 1e-9)
        sets = (deviation > border, deviation < -border, np.abs(deviation) <= border)
        self.sets = [np.ascontiguousarray(rows.T, dtype=np.float32) for rows in sets]
        self.classes = (labels[:, None] == np.unique(labels)).astype(np.float32)
        self.rows = len(x)
        self.entropies = self.entropy([rows.sum(axis=1) for rows in self.sets])
        self.class_entropy = self.entropy(list(self.classes.sum(axis=0)))
        self.relevance = self.shared(slice(None), self.classes, self.class_entropy)

    def entropy(self, counts):
        return np.log(self.rows) - sum(xlogy(count, count) for count in counts) / self.rows

    def shared(self, columns, parts, entropy):
        """I of columns with a partition, given by a 0/1 column for each part."""
        joint = [count for rows in self.sets for count in (rows[columns] @ parts).T]
        return self.entropies[columns] + entropy - self.entropy(joint)

    def between(self, column, others):
        parts = np.stack([rows[column] for rows in self.sets], axis=1)
        return self.shared(others, parts, self.entropies[column])


def mrmr(x, labels, count=50):
    """The difference of relevance and redundancy, by information of states."""
    states = States(x, labels)
    left = np.ones(x.shape[1], dtype=bool)
    redundancy = np.zeros(x.shape[1])
    chosen = []
    while len(chosen) < count:
        mean = redundancy / max(1, len(chosen))
        chosen.append(int(np.argmax(np.where(left, states.relevance - mean, -np.inf))))
        left[chosen[-1]] = False
        redundancy += states.between(chosen[-1], slice(None))
    return chosen


def fcbf(x, labels):
    """Symmetric uncertainties, one kept column against all that are left."""
    states = States(x, labels)
    relevance = np.round(2 * states.relevance / (states.entropies + states.class_entropy), 10)
    left = np.argsort(-relevance, kind="stable")
    left = left[relevance[left] > 0]
    kept = []
    while len(left):
        best, left = left[0], left[1:]
        kept.append(int(best))
        entropies = states.entropies[best] + states.entropies[left]
        left = left[np.round(2 * states.between(best, left) / entropies, 10) < relevance[left]]
    return kept


def spec(x, power=4):
    """g'L^p g / g'g of every column, L the normalised Laplacian: no eigenpairs here either."""
    graph = heat_graph(x)
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    scale = scipy.sparse.diags(degrees**-0.5)
    laplacian = scipy.sparse.identity(len(x)) - scale @ graph @ scale
    g = degrees[:, None] ** 0.5 * (x - (degrees @ x) / degrees.sum())
    image = g
    for _ in range(power):
        image = laplacian @ image
    return (g * image).sum(axis=0) / (g * g).sum(axis=0)


def sbcs(x, labels, count=3):
    """Greedy choice by (exp(-d^2/2) - target)^2 over all pairs; labels of -1 are not known."""
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    known = np.flatnonzero(labels >= 0)
    nearest = labels[known][distance.cdist(z, z[known]).argmin(axis=1)]
    nearest[known] = labels[known]
    target = (nearest[:, None] == nearest).astype(float)
    squared = np.zeros((len(z), len(z)))
    chosen = []
    while len(chosen) < count:
        errors = np.full(z.shape[1], np.inf)
        for column in np.setdiff1d(np.arange(z.shape[1]), chosen):
            similar = np.exp(-0.5 * (squared + np.subtract.outer(z[:, column], z[:, column]) ** 2))
            errors[column] = ((similar - target) ** 2).sum()  # the diagonal adds 0
        chosen.append(int(errors.argmin()))
        squared += np.subtract.outer(z[:, chosen[-1]], z[:, chosen[-1]]) ** 2
    return chosen


class TreeMember:
    """A tree of ssfi on its features, a bootstrap of the labeled rows and what it received."""

    def __init__(self, x, labels, rng):
        self.x, self.labels, self.rng = x, labels.copy(), rng
        self.features = rng.choice(x.shape[1], round(x.shape[1] ** 0.5), replace=False)
        known = np.flatnonzero(labels >= 0)
        self.drawn = rng.choice(known, len(known))
        self.received = np.zeros(len(x), dtype=bool)
        self.grow()

    def grow(self):
        rows = np.concatenate([self.drawn, np.flatnonzero(self.received)])
        tree = DecisionTreeClassifier(random_state=0)
        self.tree = tree.fit(self.x[np.ix_(rows, self.features)], self.labels[rows])
        self.said = self.tree.predict(self.x[:, self.features])

    def receive(self, votes):
        """Of each class the row that most of the others vote for."""
        others = votes - np.eye(votes.shape[1], dtype=int)[self.said]
        majority = others.argmax(axis=1)
        for number in range(votes.shape[1]):
            rows = np.flatnonzero((self.labels < 0) & (majority == number))
            if len(rows):
                row = rows[others[rows, number].argmax()]
                self.received[row], self.labels[row] = True, number
        self.grow()

    def importance(self, votes, sums, counts):
        """Only what the tree asks for is permuted: all else is 0."""
        out = ~self.received
        out[self.drawn] = False
        others = votes - np.eye(votes.shape[1], dtype=int)[self.said]
        truth = np.where(self.labels >= 0, self.labels, others.argmax(axis=1))[out]
        right = (self.said[out] == truth).mean()
        table = self.x[np.ix_(np.flatnonzero(out), self.features)]
        counts[self.features] += 1
        for column in np.unique(self.tree.tree_.feature[self.tree.tree_.feature >= 0]):
            changed = table.copy()
            changed[:, column] = self.rng.permutation(changed[:, column])
            sums[self.features[column]] += right - (self.tree.predict(changed) == truth).mean()


def ssfi(x, labels, n_members=200, rounds=10, n_labeled=40):
    """scikit-learn's trees in the same rounds of co-training, and permuted features."""
    labels = np.where(np.arange(len(x)) < n_labeled, labels, -1)
    rng = np.random.default_rng(0)
    members = [TreeMember(x, labels, rng) for _ in range(n_members)]

    def votes():
        said = np.array([member.said for member in members])
        return np.stack([(said == number).sum(axis=0) for number in range(labels.max() + 1)], 1)

    for _ in range(rounds):
        now = votes()
        for member in members:
            member.receive(now)
    sums, counts = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    now = votes()
    for member in members:
        member.importance(now, sums, counts)
    return sums / np.maximum(counts, 1)


def row_space(x):
    """Where rows are in the space that they span, and its axes."""
    u, singular, axes = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    rank = np.count_nonzero(singular > 1e-10 * singular[0])
    return u[:, :rank] * singular[:rank], axes[:rank]


def pca(x, labels, count=10):
    """Like the others, also the projected rows."""
    rows, axes = row_space(x)
    return rows[:, :count], axes[:count]


def ssdr(x, labels, count=10, alpha=1.0, beta=20.0):
    """Sums over pairs of rows by sums over classes: no pair is listed."""
    rows, axes = row_space(x)
    n = len(x)
    means = np.array([rows[labels == c].mean(axis=0) for c in range(2)])
    sizes = np.bincount(labels)
    scatters = [(rows[labels == c] - means[c]).T @ (rows[labels == c] - means[c]) for c in range(2)]
    must = sum(size * scatter for size, scatter in zip(sizes, scatters, strict=True))
    apart = means[0] - means[1]
    cannot = sizes[1] * scatters[0] + sizes[0] * scatters[1] + sizes.prod() * np.outer(apart, apart)
    matrix = rows.T @ rows / n + alpha / sizes.prod() * cannot
    matrix -= beta / (sizes * (sizes - 1) / 2).sum() * must
    _, directions = scipy.linalg.eigh(matrix)
    best = directions[:, ::-1][:, :count]
    return rows @ best, best.T @ axes


def chunklet_directions(rows, labels, count, ridge=1e-3):
    """Along which rows spread most compared to rows of one class, the spread within being 1."""
    within = np.vstack([rows[labels == c] - rows[labels == c].mean(axis=0) for c in range(2)])
    within = within.T @ within / len(rows)
    variances = (rows * rows).sum(axis=0) / len(rows)
    within[np.diag_indices_from(within)] += ridge * variances.mean()
    _, directions = scipy.linalg.eigh(np.diag(variances), within)
    return directions[:, ::-1][:, :count]


def cfld(x, labels, count=10):
    rows, axes = row_space(x)
    best = chunklet_directions(rows, labels, count)
    best /= np.linalg.norm(best, axis=0)
    return rows @ best, best.T @ axes


def rca(x, labels, count=10):
    rows, axes = row_space(x)
    best = chunklet_directions(rows, labels, count)
    return rows @ best, best.T @ axes


def forward_selection(x, labels, count):
    """The columns with the most rows right, each by the nearest other one; all pairs in NumPy."""
    base = np.where(np.eye(len(x), dtype=bool), np.inf, 0.0)
    chosen = []
    for _ in range(count):
        right = [
            np.count_nonzero(labels[(base + (c[:, None] - c) ** 2).argmin(axis=1)] == labels)
            for c in x.T
        ]
        best = int(np.argmax(np.where(np.isin(np.arange(x.shape[1]), chosen), -1, right)))
        chosen.append(best)
        base += (x[:, best, None] - x[:, best]) ** 2
    return chosen


def fw_semifs(x, labels, n_labeled=40):
    """One iteration with one sample of half of the unlabeled rows."""
    known = np.arange(n_labeled)
    chosen = forward_selection(x[known], labels[known], 2)
    teacher = KNeighborsClassifier(1).fit(x[known][:, chosen], labels[known])
    labels = np.concatenate([labels[known], teacher.predict(x[n_labeled:, chosen])])
    others = np.arange(n_labeled, len(x))
    drawn = np.random.default_rng(0).choice(others, len(others) // 2, replace=False)
    rows = np.concatenate([known, drawn])
    return forward_selection(x[rows], labels[rows], 2)
