import { html, type Html, type ModuleKeys } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import { MANAGE_KEYS } from '../../platform/keys/keys.permissions.js';
import type { Visit } from '../frame/visit.js';

const KEYS = '/keys';

/** What differs for the keys of a module. */
function keysOf(visit: Visit, module: string): ModuleKeys | undefined {
  return visit.site.modules.find(({ name }) => name === module)?.keys;
}

/** Whether the console makes and shows the keys of a module like all others, not on pages of their own. */
export function isOrdinary(visit: Visit, module: string): boolean {
  return keysOf(visit, module) === undefined;
}

/** The permissions of which one suffices to see some keys. */
export function viewsKeys(visit: Visit): string[] {
  return [MANAGE_KEYS, ...visit.site.modules.flatMap(({ keys }) => keys?.permissions.view ?? [])];
}

/** The path of the list of keys that the member may see, for one who does not manage keys the list of a module. */
export function keysPath(visit: Visit): string {
  if (visit.can(MANAGE_KEYS)) return KEYS;
  return visit.site.modules.find(({ keys }) => keys && visit.can(keys.permissions.view))?.keys?.consolePath ?? KEYS;
}

/** The path of a key's page. */
export function keyPath(visit: Visit, { id, module }: { id: string; module: string }): string {
  const own = keysOf(visit, module)?.consolePath;
  return own === undefined ? `${KEYS}/${id}` : `${own}/keys/${id}`;
}

/** The path of the page of a key whose module is not known: of the keys that the member may see. */
export function foundKeyPath(visit: Visit, id: string): string {
  const list = keysPath(visit);
  return list === KEYS ? `${KEYS}/${id}` : `${list}/keys/${id}`;
}

/** A link to the key's page if the member may see it. */
export function keyLink(visit: Visit, key: { id: string; module: string }, text: HtmlValue): Html {
  const opens = visit.can(keysOf(visit, key.module)?.permissions.view ?? MANAGE_KEYS);
  return opens ? html`<a href="${visit.link(keyPath(visit, key))}">${text}</a>` : html`${text}`;
}
