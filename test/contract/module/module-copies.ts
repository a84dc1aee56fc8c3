import { expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.js';
import type { ModuleContext } from './module-context.js';
import { collected } from './module-errors.js';
import { foreignRows } from './module-foreign.js';
import type { DescribedModule } from './module-routes.js';
import { ELSEWHERE } from './module-rows.js';

/**
 * Checks that no row of the caller has a text that only rows elsewhere have, such as one that a handler of an event or a job copied. It
 * comes before the checks that send such texts.
 */
export function checkCopies(module: DescribedModule, world: () => ModuleContext): void {
  test('no row keeps a text of rows in another project, organization or mode', async () => {
    expect(await copyFaults(module, world())).toEqual([]);
  });
}

export async function copyFaults({ routes, tables, scheduledJobs }: DescribedModule, world: ModuleContext): Promise<string[]> {
  const faults: string[] = [];
  for (const location of ELSEWHERE) faults.push(...(await foreignRows(world, routes, location)).faults);
  for (const job of scheduledJobs) await collected(faults, () => world.app.runScheduledJob(job));
  const organizations = (['own', 'another organization'] as const).map((one) => world.location(one).workspace.organizationId);
  await eventually(
    () => world.places.dueJobs(organizations),
    (due) => due === 0,
  );
  const kept = tables.filter((table) => !world.requestLogs.includes(table));
  const found = new Set<string>();
  for (const location of ELSEWHERE)
    for (const { table, text } of await world.places.textsHiddenFrom(kept, location, world.viewer(location)))
      if (world.issuedIn(location, text) !== undefined) found.add(`${table} keeps a text of a row of ${location}`);
  return [...faults, ...found];
}
