import { html, type Html } from '../../kit/index.js';
import type { Visit } from '../frame/visit.js';

/** The address of a member operation in the API reference. Throws if there is none with this name. */
export function referenceOf({ site }: Visit, operation: string): string {
  const route = site.routes.find(({ endpoint, plane }) => plane === 'product' && endpoint?.operation === operation);
  if (!route?.module) throw new Error(`No module has the operation ${operation} for members.`);
  return `/docs/swagger?urls.primaryName=Product%20plane#/${route.module}/${operation}`;
}

export function referenceLink(visit: Visit, operation: string, text: string): Html {
  return html`<a href="${referenceOf(visit, operation)}">${text}</a>`;
}
