import { html, type Html } from '../../kit/index.js';

export type Tone = 'good' | 'bad' | 'warn' | 'neutral';

/** A state as a word; the color only repeats its meaning. */
export function badge(text: string, tone: Tone = 'neutral'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** Live or test. */
export function modeBadge(mode: string): Html {
  return badge(mode === 'live' ? 'Live' : 'Test', mode === 'live' ? 'neutral' : 'warn');
}

/** The status of an HTTP response. */
export function statusBadge(status: number): Html {
  return badge(String(status), status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');
}
