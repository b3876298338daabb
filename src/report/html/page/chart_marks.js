import { colour, faint } from './theme.js';

// What Chart.js does not draw by itself: whiskers with figures beside bars, and the parts of a run.

/// Datasets of horizontal bars may have `intervals` ([low, high] or null) and `figures` (texts at the end of a bar).
export const whiskers = {
  id: 'whiskers',
  afterDatasetsDraw(chart) {
    const { ctx: pen, scales: { x } } = chart;
    chart.data.datasets.forEach((dataset, place) => {
      chart.getDatasetMeta(place).data.forEach((bar, row) => {
        const interval = dataset.intervals && dataset.intervals[row];
        let end = bar.x;
        if (interval) {
          const [from, to] = interval.map((value) => x.getPixelForValue(Math.min(Math.max(value, x.min), x.max)));
          // An end that lies outside of the axis has no cap: the whisker goes on.
          drawWhisker(pen, from, to, bar.y, interval.map((value) => value >= x.min && value <= x.max));
          end = Math.max(end, to);
        }
        if (dataset.figures) writeBeside(pen, dataset.figures[row], end + 8, bar.y);
      });
    });
  },
};

function drawWhisker(pen, from, to, y, capped) {
  pen.save();
  pen.strokeStyle = colour('ink');
  pen.lineWidth = 1.5;
  pen.beginPath();
  [from, to].forEach((x, place) => {
    if (!capped[place]) return;
    pen.moveTo(x, y - 5);
    pen.lineTo(x, y + 5);
  });
  pen.moveTo(from, y);
  pen.lineTo(to, y);
  pen.stroke();
  pen.restore();
}

function writeBeside(pen, [figure, aside], x, y) {
  pen.save();
  pen.textBaseline = 'middle';
  pen.font = `600 12px ${Chart.defaults.font.family}`;
  pen.fillStyle = colour('ink');
  pen.fillText(figure, x, y);
  const width = pen.measureText(figure).width;
  pen.font = `12px ${Chart.defaults.font.family}`;
  pen.fillStyle = colour('quiet');
  pen.fillText(aside, x + width + 8, y);
  pen.restore();
}

/// The parts of a run behind its step times: options.plugins.parts = {bands: [{from, to, colour, label}], stop: {at, label}}.
export const parts = {
  id: 'parts',
  beforeDatasetsDraw(chart, _, { bands = [] }) {
    const { ctx: pen, chartArea: area, scales: { x } } = chart;
    let free = area.left;  // where the next label may begin: a short warm-up is narrower than its name
    for (const band of bands) {
      if (band.to <= band.from) continue;
      const left = Math.max(x.getPixelForValue(band.from), area.left);
      const right = Math.min(x.getPixelForValue(band.to), area.right);
      pen.save();
      pen.fillStyle = faint(band.colour, 0.1);
      pen.fillRect(left, area.top, right - left, area.bottom - area.top);
      pen.fillStyle = band.colour;
      pen.fillRect(left, area.top, right - left, 3);
      pen.restore();
      free = labelBand(pen, band, Math.max(left, free), area.top);
    }
  },
  afterDatasetsDraw(chart, _, { stop }) {
    if (!stop) return;
    const { ctx: pen, chartArea: area, scales: { x } } = chart;
    const place = Math.min(x.getPixelForValue(stop.at), area.right);
    pen.save();
    pen.strokeStyle = colour('ink');
    pen.setLineDash([4, 3]);
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(place, area.top);
    pen.lineTo(place, area.bottom);
    pen.stroke();
    pen.fillStyle = colour('ink');
    pen.font = `12px ${Chart.defaults.font.family}`;
    pen.textAlign = 'right';
    pen.fillText(stop.label, place, area.top - 7);
    pen.restore();
  },
};

/// Writes the label above its band; where the next one may begin is returned.
function labelBand(pen, band, left, top) {
  pen.save();
  pen.font = `600 12px ${Chart.defaults.font.family}`;
  pen.fillStyle = band.colour;
  pen.fillText(band.label, left, top - 7);
  const { width } = pen.measureText(band.label);
  pen.restore();
  return left + width + 12;
}

/// For changes in percent: what counts as the same, and the estimate inside each interval.
export const changeMarks = {
  id: 'changeMarks',
  beforeDatasetsDraw(chart, _, { same = 0 }) {
    const { ctx: pen, chartArea: area, scales: { x } } = chart;
    const clip = (value) => Math.min(Math.max(x.getPixelForValue(value), area.left), area.right);
    pen.save();
    pen.fillStyle = faint(colour('quiet'), 0.14);
    pen.fillRect(clip(-same), area.top, clip(same) - clip(-same), area.bottom - area.top);
    pen.restore();
  },
  afterDatasetsDraw(chart) {
    const { ctx: pen, scales: { x } } = chart;
    const [{ estimates }] = chart.data.datasets;
    pen.save();
    pen.strokeStyle = colour('ink');
    pen.lineWidth = 2;
    chart.getDatasetMeta(0).data.forEach((bar, row) => {
      const place = x.getPixelForValue(estimates[row]);
      pen.beginPath();
      pen.moveTo(place, bar.y - 8);
      pen.lineTo(place, bar.y + 8);
      pen.stroke();
    });
    pen.restore();
  },
};

/// The noise bands behind a history, and where the speed changed.
export const historyMarks = {
  id: 'historyMarks',
  beforeDatasetsDraw(chart, _, { parts: pieces = [], changes = [] }) {
    const { ctx: pen, chartArea: area, scales: { x, y } } = chart;
    const inside = (value) => Math.min(Math.max(y.getPixelForValue(value), area.top), area.bottom);
    pen.save();
    for (const piece of pieces) {
      const left = x.getPixelForValue(piece.from - 0.3);
      const right = x.getPixelForValue(piece.to + 0.3);
      if (piece.low !== null && piece.high !== null) {
        pen.fillStyle = faint(colour('steady'), 0.14);
        pen.fillRect(left, inside(piece.high), right - left, inside(piece.low) - inside(piece.high));
      }
      pen.fillStyle = colour('steady');
      pen.fillRect(left, inside(piece.mean), right - left, 1.5);
    }
    pen.strokeStyle = colour('bad');
    pen.setLineDash([5, 4]);
    for (const change of changes) {
      const place = x.getPixelForValue((change.before + change.at) / 2);
      pen.beginPath();
      pen.moveTo(place, area.top);
      pen.lineTo(place, area.bottom);
      pen.stroke();
    }
    pen.restore();
  },
};
