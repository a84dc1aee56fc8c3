import { html, type Html } from '../../kit/index.js';

/** A path or a name such as `deal.stage_changed`, with places to break a line. */
export function breakable(text: string): Html[] {
  return text.split(/(?=\/)|(?<=[._])/).map((part) => html`${part}<wbr>`);
}

/** An IPv4 address stays in one line; one of IPv6 may be too long for that. */
export function addressText(address: string): Html {
  return address.includes(':') ? html`${address}` : html`<span class="one">${address}</span>`;
}
