import { html, type Html } from '../../kit/index.js';

/** A path or a name such as `deal.stage_changed`, with line break opportunities. */
export function breakable(text: string): Html[] {
  return text.split(/(?=\/)|(?<=[._])/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`);
}

/** An IPv4 address is not broken; one of IPv6 may be, because it is long. */
export function addressText(address: string): Html {
  return address.includes(':') ? html`${address}` : html`<span class="one">${address}</span>`;
}
