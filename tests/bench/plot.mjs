// SPDX-License-Identifier: Apache-2.0
//
// Medians, and lines on axes as SVG: all that `make bench` needs to show its figures. Text in, text out.

// Of runs of one measurement: what lies in the middle, and how far they were apart.
export function spread(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (!sorted.length) return { median: null, min: null, max: null, runs: 0 };
  const half = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1), runs: sorted.length };
}

const WIDTH = 640, HEIGHT = 360, LEFT = 64, RIGHT = 150, TOP = 36, BOTTOM = 48;
const COLOURS = ['#1f5fa8', '#c0392b', '#2e7d32', '#8e44ad', '#b9770e', '#555555'];
const ROUND = [1, 2, 5, 10];

// About five steps up to the greatest value.
export function ticks(most) {
  const rough = Math.max(most, 1e-9) / 5;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * ROUND.find((each) => each * ten >= rough * 0.999);
  const count = Math.ceil((most / step) * 0.999);
  return Array.from({ length: Math.max(count, 1) + 1 }, (_, i) => i * step);
}

const shown = (value) => (value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3))));
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

// series: [{ name, points: [[x, y], ...] }]. `decades`: the x axis goes up by factors of ten.
export function plot({ title, x, y, series, decades = false }) {
  const points = series.flatMap((each) => each.points);
  const xs = points.map(([at]) => at);
  const over = ticks(Math.max(...xs)), up = ticks(Math.max(...points.map(([, value]) => value)));
  const low = Math.log10(Math.min(...xs)), high = Math.log10(Math.max(...xs)) || 1;
  const part = (at) => (decades ? (Math.log10(at) - low) / (high - low || 1) : at / over.at(-1));
  const px = (at) => (LEFT + part(at) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const py = (value) => (HEIGHT - BOTTOM - (value / up.at(-1)) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const marks = decades ? [...new Set(xs)].sort((a, b) => a - b) : over;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="22" font-size="15">${escaped(title)}</text>`,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(x)}</text>`,
    `<text transform="translate(14 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
  ];
  for (const value of up)
    out.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(value)}" y2="${py(value)}" stroke="#ddd"/>`,
      `<text x="${LEFT - 6}" y="${Number(py(value)) + 4}" text-anchor="end">${shown(value)}</text>`);
  for (const at of marks) out.push(`<text x="${px(at)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${shown(at)}</text>`);
  series.forEach(({ name, points: line }, i) => {
    const colour = COLOURS[i % COLOURS.length], place = 14 + TOP + 18 * i;
    const path = line.map(([at, value]) => `${px(at)},${py(value)}`).join(' ');
    out.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    for (const [at, value] of line) out.push(`<circle cx="${px(at)}" cy="${py(value)}" r="3" fill="${colour}"/>`);
    out.push(`<rect x="${WIDTH - RIGHT + 10}" y="${place - 9}" width="10" height="10" fill="${colour}"/>`,
      `<text x="${WIDTH - RIGHT + 26}" y="${place}">${escaped(name)}</text>`);
  });
  return `${[...out, '</svg>'].join('\n')}\n`;
}
