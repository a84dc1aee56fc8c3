import { fillPath, type KeyedRoute } from './module-routes.js';
import { sendCall, type Call, type Subject } from './module-context.js';

/**
 * The reads that still show a row after its DELETE, which `remove` sends. They are asked before as well, because a handler may keep rows
 * in memory.
 */
export async function deletionFaults(it: Subject, call: Call, remove: () => Promise<void>): Promise<string[]> {
  const { context, route } = it;
  const item = fillPath(route.path, call.ids);
  const id = item.slice(item.lastIndexOf('/') + 1);
  const client = await context.keys.good();
  const reads = [route.path, route.path.replace(/\/\{[^}]+\}$/, '')].flatMap((path) => context.routeAt('GET', path) ?? []);
  const shows = async (read: KeyedRoute) => {
    const query = read.hasCursor ? 'limit=100' : undefined;
    const { status, text } = await sendCall(client, read, context.subject(read).with(await context.callWith(read, call.ids), { query }));
    return status === 200 && text.includes(`"id":"${id}"`);
  };
  const shown: KeyedRoute[] = [];
  for (const read of reads) if (await shows(read)) shown.push(read);
  await remove();
  const faults: string[] = [];
  for (const read of shown) {
    if (await shows(read))
      faults.push(
        `${read.endpoint.operation} shows a row after ${it.operation.id} removed it: read rows at each call, keep none in memory`,
      );
  }
  return faults;
}
