"""Fréchet's distance between Gaussians that are fitted to simple features of pictures."""

import math

import numpy as np

_SCALES = 3  # 1, 1/2, 1/4
_NOISE = 1e-6  # on the diagonal of a covariance


def features_of(images):
    """[items, 3, height, width] to [items, 36]: of each channel at each scale its mean, its standard deviation, and the
    means of the distances between neighbours, side by side and one below the other."""
    images = np.asarray(images, np.float64)
    scales = []
    with np.errstate(invalid="ignore"):  # what a broken model makes of them is seen later
        for _ in range(_SCALES):
            scales.append(_features_at_scale(images))
            images = _halved(images)
    return np.concatenate(scales, axis=1)


def distance_of(made, real):
    """Of two sets of features [items, features]. NaN where some feature is not finite."""
    if not (np.isfinite(made).all() and np.isfinite(real).all()):
        return math.nan
    (mean, covariance), (other_mean, other_covariance) = _fit(made), _fit(real)
    root = _square_root(covariance)
    # The trace of (C₁C₂)^½ is that of (C₁^½ C₂ C₁^½)^½, which is symmetric.
    both = np.linalg.eigvalsh(root @ other_covariance @ root)
    trace = np.trace(covariance) + np.trace(other_covariance) - 2 * np.sqrt(np.maximum(both, 0)).sum()
    return float(np.square(mean - other_mean).sum() + max(0.0, trace))


def _features_at_scale(images):
    across, down = np.abs(np.diff(images, axis=3)), np.abs(np.diff(images, axis=2))
    columns = [images.mean((2, 3)), images.std((2, 3)), _mean_or_zero(across), _mean_or_zero(down)]
    return np.concatenate(columns, axis=1)


def _halved(images):
    """Means of 2 × 2 pixels; an odd last row or column is left out, as average pooling does."""
    height, width = images.shape[2] // 2, images.shape[3] // 2
    blocks = images[:, :, : 2 * height, : 2 * width]
    return blocks.reshape(*images.shape[:2], height, 2, width, 2).mean((3, 5))


def _mean_or_zero(differences):
    return differences.mean((2, 3)) if differences.size else np.zeros(differences.shape[:2])


def _fit(features):
    mean = features.mean(0)
    centred = features - mean
    covariance = centred.T @ centred / max(1, len(features) - 1)
    return mean, covariance + _NOISE * np.eye(features.shape[1])


def _square_root(covariance):
    values, vectors = np.linalg.eigh(covariance)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
