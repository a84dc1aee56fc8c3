import { expect, test } from '@jest/globals';
import { sendCall, type ModuleContext } from './module-context.js';
import { foreignRows } from './module-foreign.js';
import type { DescribedModule } from './module-routes.js';
import { ELSEWHERE } from './module-rows.js';

/** Checks that the events of a caller's writes have no value of a row in another organization, mode or project. */
export function checkEvents(module: DescribedModule, world: () => ModuleContext): void {
  test('no event has values of rows in another project, organization or mode', async () => {
    expect(await eventFaults(module, world())).toEqual([]);
  });
}

export async function eventFaults({ routes }: DescribedModule, world: ModuleContext): Promise<string[]> {
  const { organizationId, projectId, mode } = world.viewer('another project');
  const foreign = [];
  for (const location of ELSEWHERE) foreign.push(await foreignRows(world, routes, location));
  const { rows: before } = await world.app.sql.query<{ last: string }>('SELECT COALESCE(max(sequence), 0) AS last FROM outbox_events');
  const client = await world.keys.pinned();
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    const { status, text } = await sendCall(client, route, await world.call(route));
    if (status >= 500) throw new Error(`${route.endpoint.operation} failed: ${status} ${text}`);
  }
  const { rows: events } = await world.app.sql.query<{ type: string; body: string }>(
    `SELECT DISTINCT type, body FROM outbox_events
     WHERE organization_id = $1 AND (project_id = $2 OR project_id IS NULL) AND mode = $3 AND sequence > $4 ORDER BY type`,
    [organizationId, projectId, mode, before[0].last],
  );
  const faults = foreign.flatMap(({ location, ids, values }) =>
    events.flatMap(({ type, body }) => {
      const found = [...ids, ...values.values()].find((value) => body.includes(value));
      if (found === undefined) return [];
      const at = body.indexOf(found);
      return `${type} has a value of ${location}: ${body.slice(Math.max(0, at - 60), at + found.length)}`;
    }),
  );
  const elsewhere = events.flatMap(({ type, body }) => {
    const { project_id: project } = objectOf(body);
    return typeof project === 'string' && project !== projectId ? [`${type} is about a row of the project ${project}: ${body}`] : [];
  });
  return [...new Set([...faults, ...elsewhere])];
}

/** The resource that an event is about. */
function objectOf(body: string): Record<string, unknown> {
  const { data } = JSON.parse(body) as { data?: Record<string, unknown> };
  return ((data?.object ?? data) as Record<string, unknown> | undefined) ?? {};
}
