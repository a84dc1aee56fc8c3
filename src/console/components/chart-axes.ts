import { html, type Html } from '../../kit/index.js';
import { count, duration, percent } from './numbers.js';

/** The unit of a chart's values: counts, milliseconds, or shares from 0 to 1. */
export type Unit = 'count' | 'ms' | 'share';

/** Of the plot, in pixels. */
export const HEIGHT = 176;
const TEXT = html`fill="var(--soft)" font-size="12"`;
const GRID_LINES = 5;
const MOST_LABELS = 6;
const STEPS = { hour: [1, 2, 3, 4, 6, 12, 24, 48, 72, 168], day: [1, 2, 3, 4, 5, 7, 10] } as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A scale with round numbers that reaches at least as high as the highest value. */
export function stepsOf(highest: number, unit: Unit = 'count'): { top: number; step: number } {
  if (unit === 'share' && highest >= 1) return { top: 1, step: 0.25 };
  const least = unit === 'count' ? 1 : 0;
  const step = Math.max(roundStep((highest || 1) / GRID_LINES), least);
  return { top: Math.ceil(rounded((highest || 1) / step, 6)) * step, step };
}

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const digit = [1, 2, 5, 10].find((one) => one * power >= wanted * 0.999) ?? 10;
  return digit * power;
}

/** Horizontal lines with their values. */
export function gridOf({ top, step }: { top: number; step: number }, unit: Unit = 'count'): Html {
  const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => {
    const value = index * step;
    const y = rounded(HEIGHT - (value / top) * HEIGHT);
    const label = html`<text x="-10" y="${y}" dy=".32em" text-anchor="end" stroke="none" ${TEXT}>${labelOf(value, unit)}</text>`;
    return html`<line x2="100%" y1="${y}" y2="${y}"/>${label}`;
  });
  return html`<g shape-rendering="crispEdges" stroke="var(--line)">${lines}</g>`;
}

/** Labels for some of the starts, at their positions. The script shows hours in the reader's zone. */
export function axisOf(starts: readonly string[], interval: 'hour' | 'day'): Html {
  const steps = STEPS[interval];
  const step = steps.find((one) => starts.length / one <= MOST_LABELS) ?? steps.at(-1)!;
  const labels = starts.map((start, index) => {
    const x = ((index + 0.5) * 100) / starts.length;
    if (!isLabeled(start, index, step, interval) || x > 97) return false;
    const hour = interval === 'hour' && step < 24;
    const inReadersZone = hour && html` data-hour="${start}"`;
    return html`<text x="${rounded(x)}%" y="${HEIGHT + 20}"${inReadersZone}>${hour ? start.slice(11, 16) : dayOf(start)}</text>`;
  });
  return html`<g ${TEXT} text-anchor="middle">${labels}</g>`;
}

/** Whether a start is labeled: labeled hours divide the day evenly. */
function isLabeled(start: string, index: number, step: number, interval: 'hour' | 'day'): boolean {
  if (interval === 'day') return index % step === 0;
  const hours = Date.parse(start) / 3_600_000;
  return hours % step === 0;
}

/** `21 Nov`. */
export function dayOf(iso: string): string {
  return `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]}`;
}

function labelOf(value: number, unit: Unit): string {
  if (unit === 'ms') return duration(value);
  return unit === 'share' ? percent(value) : count(value);
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
