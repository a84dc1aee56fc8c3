import type { Client } from './client.js';

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
