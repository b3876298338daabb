"""The models and losses of the workloads, one file each.

A file has
- `build(size, dropout)`: a module whose forward pass takes the batch's tensors by name and gives the loss;
- `names(model)`: the table of tensors.py;
- `MEMORY_FORMAT`: the order of images in memory; None where there are no images. Of channels_last a cell may choose
  contiguous instead.
"""
