"""Layers whose variables are called as trainmark.layout calls them. Attributes that are layers have the contract's
names, with dots where the contract has a layer around one that would be empty here."""

import tensorflow as tf


class Layer(tf.Module):
    """`dtype`: of what it computes; its variables are fp32."""

    def __init__(self, dtype=tf.float32):
        super().__init__()
        self.dtype = dtype

    def add(self, name, layer):
        setattr(self, name, layer)
        return layer

    def variables_by_path(self, path=()):
        for name, value in vars(self).items():
            if isinstance(value, tf.Variable):
                yield (*path, name), value
            elif isinstance(value, Layer):
                yield from value.variables_by_path((*path, name))

    def parameters(self):
        return [variable for _, variable in self.variables_by_path() if variable.trainable]

    def rounded(self, variable):
        return tf.cast(variable, self.dtype)


class Conv(Layer):
    """`padding`: the same zeros on both sides. SAME would have fewer in front where there is a stride."""

    def __init__(self, inputs, outputs, kernel, stride=1, padding=0, bias=False, dtype=tf.float32):
        super().__init__(dtype)
        self.kernel = tf.Variable(tf.zeros([kernel, kernel, inputs, outputs]))
        self.bias = tf.Variable(tf.zeros([outputs])) if bias else None
        self.stride = stride
        self.padding = [[0, 0], [padding] * 2, [padding] * 2, [0, 0]] if padding else "VALID"

    def __call__(self, x):
        y = tf.nn.conv2d(tf.cast(x, self.dtype), self.rounded(self.kernel), self.stride, self.padding)
        return y if self.bias is None else tf.nn.bias_add(y, self.rounded(self.bias))


class PointConv(Layer):
    """A 1×1 convolution as the matrix product that it is."""

    def __init__(self, inputs, outputs, stride=1, dtype=tf.float32):
        super().__init__(dtype)
        self.kernel = tf.Variable(tf.zeros([1, 1, inputs, outputs]))
        self.stride = stride

    def __call__(self, x):
        x = tf.cast(x, self.dtype)[:, :: self.stride, :: self.stride]
        y = tf.matmul(tf.reshape(x, [-1, x.shape[-1]]), self.rounded(self.kernel)[0, 0])
        return tf.reshape(y, [*x.shape[:-1], y.shape[-1]])


class BatchNorm(Layer):
    def __init__(self, channels):
        super().__init__()
        self.scale = tf.Variable(tf.ones([channels]))
        self.bias = tf.Variable(tf.zeros([channels]))
        self.mean = tf.Variable(tf.zeros([channels]), trainable=False)
        self.var = tf.Variable(tf.ones([channels]), trainable=False)

    def __call__(self, x):
        y, mean, var, *_ = tf.raw_ops.FusedBatchNormV3(
            x=x,
            scale=self.scale,
            offset=self.bias,
            mean=self.mean,
            variance=self.var,
            epsilon=1e-5,
            exponential_avg_factor=0.1,  # the share of the new value in the running one
            is_training=True,
        )
        self.mean.assign(mean)
        self.var.assign(var)
        return y


class Linear(Layer):
    def __init__(self, inputs, outputs, dtype=tf.float32):
        super().__init__(dtype)
        self.kernel = tf.Variable(tf.zeros([inputs, outputs]))
        self.bias = tf.Variable(tf.zeros([outputs]))

    def __call__(self, x):
        """`x`: rows of `inputs` numbers."""
        y = tf.matmul(tf.cast(x, self.dtype), self.rounded(self.kernel))
        return tf.nn.bias_add(y, self.rounded(self.bias))


class Embedding(Layer):
    def __init__(self, count, width, dtype=tf.float32):
        super().__init__(dtype)
        self.embedding = tf.Variable(tf.zeros([count, width]))

    def __call__(self, indices):
        return self.rounded(tf.gather(self.embedding, indices))

    def attend(self, x):
        """Its vectors as an output matrix."""
        return tf.matmul(x, self.rounded(self.embedding), transpose_b=True)


class LayerNorm(Layer):
    def __init__(self, width, eps, dtype=tf.float32):
        super().__init__(dtype)
        self.scale = tf.Variable(tf.ones([width]))
        self.bias = tf.Variable(tf.zeros([width]))
        self.eps = eps

    def __call__(self, x):
        x = tf.cast(x, tf.float32)
        mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
        return self.rounded(tf.nn.batch_normalization(x, mean, variance, self.bias, self.scale, self.eps))


def dropout(x, rate):
    return tf.nn.dropout(x, rate) if rate else x


def cross_entropy(logits, labels):
    logits = tf.cast(logits, tf.float32)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
