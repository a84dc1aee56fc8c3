import { html, isUuid, type Actor } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import type { Visit } from '../frame/visit.js';
import { keyLink } from './key-link.js';

const OTHERS: Readonly<Record<Actor['type'], string>> = {
  user: 'A member',
  api_key: 'An API key',
  system: 'The suite',
  guest: 'A visitor',
};

/** Says who did something: members by their address, keys by their name if the member may see them. */
export async function actorNames(visit: Visit, actors: readonly Actor[]): Promise<(actor: Actor) => HtmlValue> {
  const ids = actors.flatMap(({ type, id }) => (type === 'api_key' && id !== null && isUuid(id) ? [id] : []));
  const keys = new Map((await visit.byIds<ApiKeyDto>('/developer/api-keys', ids))?.map((key) => [key.id, key]));
  return ({ type, id, email }) => {
    const key = id === null ? undefined : keys.get(id);
    if (!key) return email ?? OTHERS[type];
    const of = email === null ? false : html`<br><span class="soft">for ${email}</span>`;
    return html`${keyLink(visit, key, key.name)}${of}`;
  };
}
