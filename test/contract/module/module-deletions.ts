import { isObject } from '../../../src/kit/index.js';
import { fillPath, type KeyedRoute } from './module-routes.js';
import { sendCall, type Call, type Subject } from './module-context.js';

/**
 * The reads that show a row after its DELETE, which `remove` sends, as they did before: a handler may keep rows in memory. A row that is
 * only ended, such as a reservation, is shown with what changed.
 */
export async function deletionFaults(it: Subject, call: Call, remove: () => Promise<void>): Promise<string[]> {
  const { context, route } = it;
  const item = fillPath(route.path, call.ids);
  const id = item.slice(item.lastIndexOf('/') + 1);
  const client = await context.keys.good();
  const shown = async (read: KeyedRoute) => {
    const query = read.hasCursor ? 'limit=100' : undefined;
    const { body } = await sendCall(client, read, context.subject(read).with(await context.callWith(read, call.ids), { query }));
    const { data = [body] } = (body ?? {}) as { data?: unknown };
    const row = [data].flat().find((one) => isObject(one) && one.id === id);
    return row === undefined ? undefined : JSON.stringify(row);
  };
  const reads = [route.path, route.path.replace(/\/\{[^}]+\}$/, '')].flatMap((path) => context.routeAt('GET', path) ?? []);
  const before = new Map<KeyedRoute, string | undefined>();
  for (const read of reads) before.set(read, await shown(read));
  await remove();
  const faults: string[] = [];
  for (const [read, row] of before) {
    if (row !== undefined && (await shown(read)) === row)
      faults.push(
        `${read.endpoint.operation} shows a row after ${it.operation.id} removed it: read rows at each call, keep none in memory`,
      );
  }
  return faults;
}
