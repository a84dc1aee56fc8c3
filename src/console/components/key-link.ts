import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import { LEAD_WEBHOOK } from '../../platform/keys/key-permissions.js';
import type { Visit } from '../frame/visit.js';

export const LEAD_KEYS = '/lead-webhook';

/** The path of a key's page. Keys of the lead webhook have separate pages and permissions. */
export function keyPath({ id, module }: { id: string; module: string }): string {
  return module === LEAD_WEBHOOK ? `${LEAD_KEYS}/keys/${id}` : `/keys/${id}`;
}

/** A link to the key's page if the member may see it. */
export function keyLink(visit: Visit, key: { id: string; module: string }, text: HtmlValue): Html {
  const opens = visit.can(key.module === LEAD_WEBHOOK ? 'org.developer.leadkeys.view' : 'org.developer.apikeys.manage');
  return opens ? html`<a href="${visit.link(keyPath(key))}">${text}</a>` : html`${text}`;
}
