"""What the trainers on numpy can do."""

from trainmark.offer import Offer

OFFER = Offer(
    framework="numpy",
    title="NumPy",
    package="numpy",
    versions=("numpy",),
    modes=["eager"],
    precisions={"cpu": ["fp32"]},
)
