import type { Client } from '../../../../test/harness/client.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import type { TestApp } from '../../../../test/harness/test-app.js';

export const EXT_INVENTORY = '/api/v1/ext/inventory';
export const ORG_INVENTORY = '/api/v1/org/inventory';

/** The ids of a project's locations by code: `MAIN` and `QUARANTINE` from the start. */
export async function locationsOf(client: Client, projectId: string): Promise<Record<string, string>> {
  const { body } = await client.get(`${EXT_INVENTORY}/locations?project_id=${projectId}`);
  return Object.fromEntries((body.data as { code: string; id: string }[]).map(({ code, id }) => [code, id]));
}

export async function makeItem(client: Client, values: object): Promise<{ id: string; version: number }> {
  const { status, body, text } = await client.post(`${EXT_INVENTORY}/items`, { name: 'Item', ...values });
  if (status !== 201) throw new Error(text);
  return body as { id: string; version: number };
}

/** Records a movement, which must succeed. */
export async function move(client: Client, values: object): Promise<Record<string, unknown> & { id: string; cost_amount: number }> {
  const { status, body, text } = await client.post(`${EXT_INVENTORY}/movements`, values);
  if (status !== 201) throw new Error(text);
  return body as Record<string, unknown> & { id: string; cost_amount: number };
}

/** A workspace whose default project has a second location, `SHOP`, with shortcuts for a key of live mode. */
export async function openStock(app: TestApp) {
  const space = await app.workspace();
  const { client: api } = await space.key({ module: 'inventory', mode: 'live', rate_limit_per_minute: 1_000_000 });
  const owner = await space.signIn();
  await owner.post(`${ORG_INVENTORY}/locations`, { project_id: space.eng.id, code: 'SHOP', name: 'Shop' });
  const at = await locationsOf(api, space.eng.id);
  let items = 0;
  const post = (path: string, body: object) => api.post(`${EXT_INVENTORY}/${path}`, body);
  return {
    space,
    api,
    owner,
    at,
    post,
    item: async (values: object = {}) => (await makeItem(api, { project_id: space.eng.id, sku: `SKU-${items++}`, ...values })).id,
    receive: (item_id: string, quantity: string, over: object = {}) =>
      move(api, { kind: 'receipt', item_id, location_id: at.MAIN, quantity, ...over }),
    record: (values: object) => post('movements', { location_id: at.MAIN, ...values }),
    stock: async (id: string) => (await api.get(`${EXT_INVENTORY}/items/${id}`)).body,
    level: async (id: string, location = at.MAIN) =>
      (await api.get(`${EXT_INVENTORY}/stock-levels?item_id=${id}&location_id=${location}`)).body.data[0],
    /** Object and context of the events of a type about an item, or about the object with this id. */
    events: async (type: string, id: string) =>
      (await eventsOf(app, space))
        .filter((event) => event.type === type && [event.data.object.id, event.data.object.item_id].includes(id))
        .map(({ data }) => data),
  };
}
