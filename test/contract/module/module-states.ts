import type { ApiDocument, Json, Schema } from '../../harness/api-document.js';
import type { ApiResponse, Client } from '../../harness/client.js';
import { sendCall, type Call, type ModuleContext } from './module-context.js';
import type { KeyedRoute } from './module-routes.js';

/** By route: how many of its changes were refused, which are not tried again. */
const refused = new WeakMap<ModuleContext, Map<KeyedRoute, number>>();

/**
 * Sends a call of a POST with other flags and choices than a row has that the same call made: all of them, or the flags alone, or none,
 * whichever is not refused. A read may show rows of others only in such a state, such as archived ones.
 */
export async function sendInOtherState(
  world: ModuleContext,
  client: Client,
  route: KeyedRoute,
  call: Call,
  row: Json,
): Promise<ApiResponse> {
  const { body } = world.api.operation(route.endpoint.operation);
  const fields = body ? otherFields(world.api, body, call.body ?? {}, row) : [];
  const flags = fields.filter(([, value]) => typeof value === 'boolean');
  const changes = [fields, ...(flags.length < fields.length ? [flags] : [])].filter(({ length }) => length > 0);
  const known = refused.get(world) ?? new Map<KeyedRoute, number>();
  refused.set(world, known);
  for (const change of changes.slice(known.get(route) ?? 0)) {
    const response = await sendCall(client, route, {
      ...call,
      body: { ...call.body, ...Object.fromEntries(change) },
    });
    if (response.status < 400 || response.status >= 500) return response;
    known.set(route, (known.get(route) ?? 0) + 1);
  }
  return sendCall(client, route, call);
}

/** The optional flags and choices of a body that the call leaves out, each with a value that the row does not have. */
function otherFields(api: ApiDocument, body: Schema, sent: Json, row: Json): [name: string, value: unknown][] {
  const { properties = {}, required = [] } = api.resolve(body) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    if (required.includes(name) || name in sent) return [];
    const shape = api.resolve(schema);
    const present = row[name] ?? shape.default;
    if ([shape.type].flat().includes('boolean')) return [[name, present !== true]];
    const other = ((shape.enum ?? []) as unknown[]).find((value) => value !== null && value !== present);
    return other === undefined ? [] : [[name, other]];
  });
}
