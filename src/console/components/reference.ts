import { html, type Html } from '../../kit/index.js';
import { referenceAddress } from '../../platform/docs/reference/addresses.js';
import type { Visit } from '../frame/visit.js';

/** The address of a member operation in the API reference. Throws if there is none with this name. */
export function referenceOf({ site }: Visit, operation: string): string {
  const address = referenceAddress(site.routes, site.modules, operation);
  if (address === undefined) throw new Error(`No module has the operation ${operation} for members.`);
  return address;
}

export function referenceLink(visit: Visit, operation: string, text: string): Html {
  return html`<a href="${referenceOf(visit, operation)}">${text}</a>`;
}
