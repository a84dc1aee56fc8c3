import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import { LEAD_WEBHOOK } from '../../platform/keys/key-permissions.js';
import type { Visit } from '../frame/visit.js';

export const LEAD_KEYS = '/lead-webhook';

/** Where a key has its page: those of the lead webhook have pages and permissions of their own. */
export function keyPath({ id, module }: { id: string; module: string }): string {
  return module === LEAD_WEBHOOK ? `${LEAD_KEYS}/keys/${id}` : `/keys/${id}`;
}

/** Leads to the key's page if the member may see it. */
export function keyLink(visit: Visit, key: { id: string; module: string }, text: HtmlValue): Html {
  const opens = visit.can(key.module === LEAD_WEBHOOK ? 'org.developer.leadkeys.view' : 'org.developer.apikeys.manage');
  return opens ? html`<a href="${visit.link(keyPath(key))}">${text}</a>` : html`${text}`;
}
