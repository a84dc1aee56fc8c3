import { expect, test } from '@jest/globals';
import { barChart, lineChart } from './chart.js';
import { stepsOf } from './chart-axes.js';
import { duration, percent } from './numbers.js';

const starts = (count: number) => Array.from({ length: count }, (_, hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString());
const chart = { id: 'calls', title: 'Calls <b>', summary: 'Three calls', interval: 'hour' as const };

test('a line ends at an interval without a value, and a single value is a short line', () => {
  const { markup } = lineChart({ ...chart, starts: starts(5), series: [{ label: 'p50', tone: 'good', values: [1, 2, null, 2, null] }] });
  expect(/ d="([^"]+)"/.exec(markup.slice(markup.indexOf('viewBox')))?.[1]).toBe('M0.5 88l1-88M3.25 0h.5');
  expect(markup).toContain('<title id="calls-title">Calls &lt;b&gt;</title>');
});

test('bars stand upon each other, and one of a thousand calls is still seen', () => {
  const series = [
    { label: 'Failed', tone: 'bad' as const, values: [1, 0] },
    { label: 'Succeeded', tone: 'good' as const, values: [999, 0] },
  ];
  const { markup } = barChart({ ...chart, starts: starts(2), series });
  const rects = [...markup.matchAll(/<rect x="[^"]+" y="([^"]+)" width="[^"]+%" height="([^"]+)"/g)].map(([, y, height]) => [y, height]);
  expect(rects).toStrictEqual([
    ['174', '2'],
    ['-1.82', '175.82'],
  ]);
});

test('a month of hours is one outline of at most 8 KB', () => {
  const values = starts(744).map((_, hour) => (hour * 7919) % 1000);
  const { markup } = barChart({ ...chart, starts: starts(744), series: [{ label: 'Calls', tone: 'good', values }] });
  expect(markup.match(/<path/g)).toHaveLength(1);
  expect(markup.length).toBeLessThan(8 * 1024);
});

test.each([
  [0, 'count', { top: 1, step: 1 }],
  [3, 'count', { top: 3, step: 1 }],
  [401, 'count', { top: 500, step: 100 }],
  [0.3, 'ms', { top: 0.3, step: 0.1 }],
  [1, 'share', { top: 1, step: 0.25 }],
] as const)('the scale for %p (%s) has round steps', (highest, unit, scale) => {
  const { top, step } = stepsOf(highest, unit);
  expect({ top: Number(top.toFixed(6)), step }).toStrictEqual(scale);
});

test('numbers are short, and a small share is never none', () => {
  expect([4.12, 380.4, 2_440, 61_200, null].map(duration)).toStrictEqual(['4.1\u00a0ms', '380\u00a0ms', '2.4\u00a0s', '61\u00a0s', '–']);
  expect([0, 0.0001, 0.004, 0.12, 0.9999, 1].map(percent)).toStrictEqual(['0 %', '< 0.1 %', '0.4 %', '12 %', '> 99.9 %', '100 %']);
});
