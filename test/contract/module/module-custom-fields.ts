import { expect, test } from '@jest/globals';
import type { Client } from '../../harness/client.js';
import type { Schema } from '../../harness/api-document.js';
import type { ModuleContext } from './module-context.js';
import { collected } from './module-errors.js';
import type { DescribedModule, KeyedRoute } from './module-routes.js';

const KEY = 'described';
const VALUE = 'emea';

/**
 * Checks for each POST that takes custom fields, and for each PATCH of a resource that none creates, that the resource has them: the
 * answer, the list and events show a value, the list is filtered and sorted by it, a PATCH merges, and an unknown field is refused by name.
 */
export function checkCustomFields({ routes }: DescribedModule, world: () => ModuleContext): void {
  test('resources with custom fields keep, show, list and change them', async () => {
    const faults: string[] = [];
    const context = world();
    const owner = await context.workspace.signIn();
    const defined = new Set<string>();
    const writes = ['POST', 'PATCH'].flatMap((method) => routes.filter((route) => route.method === method && route.hasBody));
    for (const route of writes) {
      const resource = resourceOf(context, route);
      if (resource === undefined || (route.method === 'PATCH' && defined.has(resource))) continue;
      if (!defined.has(resource)) await define(owner, resource);
      defined.add(resource);
      await collected(faults, async () => {
        faults.push(...(await faultsOf(route, routes, context)).map((fault) => `${route.endpoint.operation} ${fault}`));
      });
    }
    expect(faults).toEqual([]);
  });
}

async function define(owner: Client, resource: string): Promise<void> {
  const body = { resource, key: KEY, label: 'Described', type: 'text', filterable: true };
  const { status, text } = await owner.post('/api/v1/org/custom-fields', body);
  if (status !== 201) throw new Error(`The custom field of ${resource} was not created: ${text}`);
}

/** The resource whose custom fields the body of the route takes itself. */
function resourceOf({ api }: ModuleContext, { endpoint }: KeyedRoute): string | undefined {
  const { body } = api.operation(endpoint.operation);
  const { custom_fields: field } = ((body && api.resolve(body).properties) ?? {}) as Record<string, Schema | undefined>;
  return field?.['x-custom-fields'] as string | undefined;
}

async function faultsOf(route: KeyedRoute, routes: readonly KeyedRoute[], context: ModuleContext): Promise<string[]> {
  const it = context.subject(route);
  const client = await context.keys.good();
  const create = async (custom_fields: object) => {
    const call = await context.call(route);
    const body = route.method === 'PATCH' ? { custom_fields } : { ...call.body, custom_fields };
    return it.send(client, it.with(call, { body }));
  };
  const misspelt = await create({ discribed: VALUE });
  const { param } = (misspelt.body as { error?: { param?: string } }).error ?? {};
  const faults = param?.endsWith('custom_fields.discribed') ? [] : [`does not name an unknown custom field: ${misspelt.text}`];
  const made = await create({ [KEY]: VALUE });
  const { id, custom_fields: shown } = made.body as { id?: string; custom_fields?: object };
  if (id === undefined || shown === undefined) return made.status < 300 ? faults : [...faults, `fails: ${made.text}`];
  if (JSON.stringify(shown) !== JSON.stringify({ [KEY]: VALUE })) return [...faults, `does not show the value: ${made.text}`];

  const collection = route.path.replace(/\/\{[^}]+\}$/, '');
  const list = routes.find(({ method, path }) => method === 'GET' && path === collection);
  if (list) {
    const { body, text } = await client.get(`${list.path}?custom_fields.${KEY}=${VALUE}&limit=100`);
    const found = (body as { data?: { id: string }[] }).data?.some((item) => item.id === id) ?? false;
    if (!found) faults.push(`makes a row that ${list.endpoint.operation} does not find by its custom field: ${text.slice(0, 300)}`);
    const sorted = await client.get(`${list.path}?sort=custom_fields.${KEY}&limit=100`);
    const rows = (sorted.body as { data?: { id: string; custom_fields?: Record<string, unknown> }[] }).data ?? [];
    const before = rows.slice(
      0,
      rows.findIndex((row) => row.id === id),
    );
    // rows without a value come last
    if (!rows.some((row) => row.id === id) || before.some((row) => row.custom_fields?.[KEY] !== VALUE))
      faults.push(`makes a row that ${list.endpoint.operation} does not sort by its custom field: ${sorted.text.slice(0, 300)}`);
  }
  const change = routes.find(({ method, path }) => method === 'PATCH' && path.startsWith(`${collection}/{`) && path.endsWith('}'));
  if (change) {
    const { body, text } = await client.patch(change.path.replace(/\{[^}]+\}$/, id), { custom_fields: { [KEY]: null } });
    const { custom_fields: left } = body as { custom_fields?: object };
    if (JSON.stringify(left) !== '{}')
      faults.push(`makes a row of which ${change.endpoint.operation} does not clear it: ${text.slice(0, 300)}`);
  }
  const { rows: silent } = await context.app.sql.query<{ type: string }>(
    `SELECT type FROM outbox_events WHERE organization_id = $1 AND body::jsonb #>> '{data,object,id}' = $2
       AND body::jsonb #> '{data,object,custom_fields}' IS NULL`,
    [context.workspace.organizationId, id],
  );
  return [...faults, ...silent.map(({ type }) => `causes ${type}, which has no custom fields`)];
}
