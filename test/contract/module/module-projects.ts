import { expect, test } from '@jest/globals';
import type { Json } from '../../harness/api-document.js';
import type { Subject } from './module-context.js';
import type { DescribedModule, KeyedRoute } from './module-routes.js';

/** The look-up of a module whose calls take a project. */
export function checkProjectLookup({ prefix, routes }: DescribedModule): void {
  if (!routes.some(({ takesProject }) => takesProject)) return;
  test('has a look-up of the projects that its calls take', () => {
    const lookups = routes.filter(({ method, endpoint: { list, lookup } }) => method === 'GET' && list && lookup);
    expect(lookups.map(({ path }) => path)).toContain(`/api/v1/ext/${prefix}/projects`);
  });
}

/** Checks calls of an organization-wide key without project_id: writes work in the default project, reads in all. */
export function checkOptionalProject(route: KeyedRoute, subject: () => Subject): void {
  if (!route.takesProject) return;
  test('works without project_id', async () => {
    const it = subject();
    const { context } = it;
    const call = await context.call(route);
    const { project_id: _, ...args } = call.args;
    const { project_id: __, ...body } = (call.body ?? {}) as Json;
    const response = await it.send(await context.keys.good(), it.with({ ...call, args }, call.body ? { body } : {}));
    expect([response.status, response.text]).toEqual([route.endpoint.status, response.text]);
    if (route.endpoint.status !== 201) return;
    const shown = projectsIn(response.body);
    expect({ shown, others: shown.filter((id) => id !== context.workspace.eng.id) }).toEqual({
      shown: expect.arrayContaining([context.workspace.eng.id]),
      others: [],
    });
  });
}

/** The values of every project_id in a response. */
function projectsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === 'project_id' ? [member as unknown] : projectsIn(member)));
}
