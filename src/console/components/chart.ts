import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import { axisOf, dayOf, gridOf, HEIGHT, rounded, stepsOf, type Unit } from './chart-axes.js';

/** The color by its meaning; each also has its own pattern. */
type SeriesTone = 'good' | 'bad' | 'middle' | 'high' | 'past';

interface Series {
  label: string;
  tone: SeriesTone;
  /** One for each interval; null where there is nothing to measure. */
  values: readonly (number | null)[];
}

export interface Chart {
  /** Unique on the page. */
  id: string;
  /** What it counts, such as "Calls per hour". */
  title: string;
  /** What it shows, in a sentence, for those who do not see it. */
  summary: string;
  interval: 'hour' | 'day';
  /** The starts of the intervals, oldest first. */
  starts: readonly string[];
  series: readonly Series[];
  /** The previous period, interval by interval, drawn as a line: the totals of the bars, or one of the lines, which the label names. */
  before?: { label: string; values: readonly (number | null)[] };
  unit?: Unit;
  /** The end of the scale, if it is fixed. */
  top?: number;
  /** The page with the data of an interval. The table should link to it, too, because these links are not reachable by keyboard. */
  linkTo?: (index: number) => string;
  /** The tooltip of an interval, without its time. */
  tellOf?: (index: number) => string;
  /** The same figures as a table. */
  table?: Html;
}

/** More intervals are drawn as an outline and not linked one by one. */
const MOST_BARS = 62;
const CORNER = 1.5;
/** Smaller bars would not be visible. */
const LEAST_HEIGHT = 2;
/** The fraction of an interval's width. */
const BAR_WIDTH = 0.72;

const COLORS: Readonly<Record<SeriesTone, string>> = {
  good: 'var(--accent)',
  bad: 'var(--bad)',
  middle: 'var(--warn)',
  high: 'var(--soft)',
  past: 'var(--soft)',
};
const DASHES: Readonly<Record<SeriesTone, string | null>> = { good: null, bad: null, middle: '7 4', high: '9 4 1 4', past: '1 5' };

/** One stacked bar for each interval, with the first series at the bottom, where it is easiest to compare. */
export function barChart(chart: Chart): Html {
  const { starts, series } = chart;
  const totals = starts.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const scale = scaleOf(chart, totals);
  const heights = stackedHeights(series, scale.top);
  const isOutline = starts.length > MOST_BARS;
  const drawn = series.map(({ tone }, position) => {
    const shape = isOutline ? outline(heights[position]) : bars(heights[position]);
    return html`<g fill="${fillOf(tone)}">${shape}</g>`;
  });
  // outlines reach down to the base line, so the lowest is drawn last
  const shapes = isOutline ? drawn.reverse() : drawn;
  return figure(chart, scale, [shapes, linesOf(chart, scale.top, [])], swatch);
}

/** One line for each series; it is interrupted where there is nothing to measure. */
export function lineChart(chart: Chart): Html {
  const { series } = chart;
  const scale = scaleOf(
    chart,
    series.flatMap(({ values }) => values),
  );
  return figure(chart, scale, linesOf(chart, scale.top, series), stroke);
}

function scaleOf({ top, unit, before }: Chart, values: readonly (number | null)[]): { top: number; step: number } {
  return stepsOf(top ?? Math.max(0, ...[...values, ...(before?.values ?? [])].map((value) => value ?? 0)), unit);
}

/** The lines of the series, and that of the previous period behind them. */
function linesOf({ starts: { length: intervals }, before }: Chart, top: number, series: readonly Series[]): Html | false {
  const lines = [...(before ? [{ ...before, tone: 'past' as const }] : []), ...series];
  if (lines.length === 0) return false;
  const drawn = lines.map(({ tone, values }) => {
    const points = values.map((value) => (value === null ? null : HEIGHT - (value / top) * HEIGHT));
    return html`<path stroke="${COLORS[tone]}" d="${linePath(points)}"${dashOf(tone)} vector-effect="non-scaling-stroke"/>`;
  });
  return html`<svg viewBox="0 0 ${intervals} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none"
fill="none" stroke-width="2" stroke-linejoin="round" stroke-linecap="round">${drawn}</svg>`;
}

function figure(chart: Chart, scale: { top: number; step: number }, drawn: HtmlValue, sample: (tone: SeriesTone) => Html): Html {
  const { id, title, summary, interval, starts, series, before, table, unit } = chart;
  const legend = series.map(({ label, tone }) => html`<span>${sample(tone)} ${label}</span>`);
  return html`<figure class="chart"><figcaption class="row"><b>${title}</b><span class="row soft">${legend}${
    before !== undefined && html`<span>${stroke('past')} ${before.label}</span>`
  }</span></figcaption>
<div class="plot"><svg role="img" aria-labelledby="${id}-title ${id}-text" width="100%" height="${HEIGHT}">
<title id="${id}-title">${title}</title><desc id="${id}-text">${summary}</desc>
${gridOf(scale, unit)}${drawn}${axisOf(starts, interval)}</svg>${targets(chart)}</div>
${table !== undefined && html`<details><summary>As a table</summary>${table}</details>`}</figure>`;
}

/** The hover targets of the intervals. */
function targets({ starts, linkTo, tellOf, interval }: Chart): Html | false {
  if (starts.length > MOST_BARS || (!linkTo && !tellOf)) return false;
  const target = (start: string, index: number) => {
    const time = interval === 'day' ? html`<b>${dayOf(start)}</b>` : html`<b data-hour="${start.slice(0, 16)}Z">${start.slice(11, 16)}</b>`;
    const content = html`<span>${time}: ${tellOf?.(index) ?? null}</span>`;
    return linkTo ? html`<a href="${linkTo(index)}" tabindex="-1">${content}</a>` : html`<i>${content}</i>`;
  };
  return html`<div class="hits" aria-hidden="true">${starts.map(target)}</div>`;
}

interface Segment {
  bottom: number;
  height: number;
}

/** In pixels, by series and interval. */
function stackedHeights(series: readonly Series[], top: number): Segment[][] {
  const filled = series[0]?.values.map(() => 0) ?? [];
  return series.map(({ values }) =>
    values.map((value, index) => {
      const exact = ((value ?? 0) / top) * HEIGHT;
      const height = value ? Math.max(exact, LEAST_HEIGHT) : 0;
      const bottom = filled[index];
      filled[index] += height;
      return { bottom, height };
    }),
  );
}

function bars(segments: readonly Segment[]): Html[] {
  const slot = 100 / segments.length;
  return segments.flatMap(({ bottom, height }, index) => {
    if (height === 0) return [];
    const [x, y] = [rounded((index + (1 - BAR_WIDTH) / 2) * slot), rounded(HEIGHT - bottom - height)];
    return html`<rect x="${x}%" y="${y}" width="${rounded(slot * BAR_WIDTH)}%" height="${rounded(height)}" rx="${CORNER}"/>`;
  });
}

/** Steps from interval to interval. */
function outline(segments: readonly Segment[]): Html {
  let y = HEIGHT;
  const steps = segments.map(({ bottom, height }) => {
    const next = Math.round(HEIGHT - bottom - height);
    const rise = next - y;
    y = next;
    return rise === 0 ? 'h1' : `v${rise}h1`;
  });
  return html`<svg viewBox="0 0 ${segments.length} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none">
<path d="M0 ${HEIGHT}${steps.join('')}V${HEIGHT}z"/></svg>`;
}

/** A single value between two gaps is a short line. */
function linePath(points: readonly (number | null)[]): string {
  let from: number | null = null;
  return points
    .map((point, index) => {
      const y = point === null ? null : rounded(point, points.length > MOST_BARS ? 0 : 1);
      const before = from;
      from = y;
      if (y === null) return '';
      if (before !== null) return y < before ? `l1${rounded(y - before, 1)}` : `l1 ${rounded(y - before, 1)}`;
      return (points[index + 1] ?? null) === null ? `M${index + 0.25} ${y}h.5` : `M${index + 0.5} ${y}`;
    })
    .join('');
}

/** Large areas are not filled with the color of text, which would be too heavy. */
function fillOf(tone: SeriesTone): string {
  return `color-mix(in oklab, ${COLORS[tone]} 72%, var(--card))`;
}

function dashOf(tone: SeriesTone): Html | false {
  const dash = DASHES[tone];
  return dash !== null && html` stroke-dasharray="${dash}"`;
}

function swatch(tone: SeriesTone): Html {
  return html`<svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="2.5" fill="${fillOf(tone)}"/></svg>`;
}

function stroke(tone: SeriesTone): Html {
  return html`<svg width="20" height="10" aria-hidden="true">
<path d="M1 5h18" stroke="${COLORS[tone]}" stroke-width="2" stroke-linecap="round"${dashOf(tone)}/></svg>`;
}
