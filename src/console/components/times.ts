import { html, type Html } from '../../kit/index.js';

/**
 * A point in time, in UTC; the script shows it in the reader's zone. Where scripts run, the zone is hidden from the start, so that nothing
 * moves when it goes. `none` is what stands where there is none.
 */
export function timeOf(iso: string | null, { none = 'Never', seconds = false }: { none?: string; seconds?: boolean } = {}): Html {
  if (iso === null) return html`<span class="soft">${none}</span>`;
  const text = iso.slice(0, seconds ? 19 : 16).replace('T', ' ');
  return html`<time datetime="${iso}" data-local="${seconds ? 'seconds' : 'minutes'}">${text}<span> UTC</span></time>`;
}
