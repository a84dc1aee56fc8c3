import { html, type Html } from '../../kit/index.js';

/**
 * A time in UTC; the script shows it in the reader's zone. With scripts, the zone is hidden from the start, so that the layout does not
 * shift. `none` is shown if there is no time.
 */
export function timeOf(iso: string | null, { none = 'Never', seconds = false }: { none?: string; seconds?: boolean } = {}): Html {
  if (iso === null) return html`<span class="soft">${none}</span>`;
  const text = iso.slice(0, seconds ? 19 : 16).replace('T', ' ');
  return html`<time datetime="${iso}" data-local="${seconds ? 'seconds' : 'minutes'}">${text}<span> UTC</span></time>`;
}
