import { expect, test } from '@jest/globals';
import { sendCall, type ModuleContext } from './module-context.js';
import { collected } from './module-errors.js';
import { foreignRows } from './module-foreign.js';
import type { DescribedModule } from './module-routes.js';
import { ELSEWHERE, UUIDS } from './module-rows.js';

/** Checks that the events of a caller's writes have no value of a row in another organization, mode or project. */
export function checkEvents(module: DescribedModule, world: () => ModuleContext): void {
  test('no event has values of rows in another project, organization or mode', async () => {
    expect(await eventFaults(module, world())).toEqual([]);
  });
}

/** Checks that events carry the project of their row. It comes last: each write of the other checks is one more case. */
export function checkEventProjects(world: () => ModuleContext): void {
  test('an event about a row of a project carries that project', async () => {
    expect(await eventProjectFaults(world())).toEqual([]);
  });
}

const SHOWN = 60;

/** The events so far, of all writes. A webhook of a project, and a pinned key, never see one without it. */
export async function eventProjectFaults({ places, workspace }: ModuleContext): Promise<string[]> {
  const found = await places.eventsPastProject(workspace.organizationId);
  return found.map(({ type, project, named }) => `${type} carries projectId ${named}, but its row is of the project ${project}`);
}

export async function eventFaults({ routes }: DescribedModule, world: ModuleContext): Promise<string[]> {
  const viewer = world.viewer('another project');
  const { organizationId, projectId, mode } = viewer;
  const foreign = [];
  for (const location of ELSEWHERE) foreign.push(await foreignRows(world, routes, location));
  const faults = foreign.flatMap((rows) => rows.faults);
  const { rows: before } = await world.app.sql.query<{ last: string }>('SELECT COALESCE(max(sequence), 0) AS last FROM outbox_events');
  const client = await world.keys.pinned();
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    await collected(faults, async () => {
      const { status, text } = await sendCall(client, route, await world.call(route));
      if (status >= 500) throw new Error(`${route.endpoint.operation} failed: ${status} ${text}`);
    });
  }
  const { rows: events } = await world.app.sql.query<{
    type: string;
    body: string;
  }>(
    `SELECT DISTINCT type, body FROM outbox_events
     WHERE organization_id = $1 AND (project_id = $2 OR project_id IS NULL) AND mode = $3 AND sequence > $4 ORDER BY type`,
    [organizationId, projectId, mode, before[0].last],
  );
  // a row that no POST of the module answers, such as a line or one of another module, is known by its id alone
  const hidden = await world.places.hidden([...new Set(events.flatMap(({ body }) => body.match(UUIDS) ?? []))], viewer);
  for (const { type, body } of events) {
    const told = foreign.flatMap(({ location, texts }) => {
      // a row that a sample makes itself is known by its unique text alone
      const found = [...texts].find((value) => body.includes(value)) ?? world.issuedIn(location, body);
      return found === undefined ? [] : `${type} has a value of ${location}: ${around(body, found)}`;
    });
    const id = told.length === 0 ? body.match(UUIDS)?.find((one) => hidden.has(one)) : undefined;
    faults.push(...told, ...(id === undefined ? [] : [`${type} has the id of a row elsewhere: ${around(body, id)}`]));
  }
  return [...new Set(faults)];
}

function around(body: string, found: string): string {
  const at = body.indexOf(found);
  return body.slice(Math.max(0, at - SHOWN), at + found.length);
}
