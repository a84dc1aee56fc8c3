import { expect, test } from '@jest/globals';
import type { ApiResponse } from '../../harness/client.js';
import type { Call, Subject } from './module-context.js';
import { expectAnswer } from './module-errors.js';
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
    const response = await it.send(await context.keys.good(), withoutProject(it, call));
    expect([response.status, response.text]).toEqual([route.endpoint.status, response.text]);
    if (route.endpoint.status !== 201) return;
    expectProject(response, context.workspace.eng.id);
  });

  if (route.endpoint.status !== 201) return;
  test('works in the project of a key that is pinned to another one than the default', async () => {
    const it = subject();
    const { context } = it;
    expectProject(await createdElsewhere(it), context.workspace.ops.id);
  });
}

/** The answer to a creation without project_id, by a key that is pinned to another project than the default. */
export async function createdElsewhere(it: Subject): Promise<ApiResponse> {
  const { context, route } = it;
  const call = await context.call(route, 'another project');
  const response = await it.send(await context.keys.pinnedElsewhere(), withoutProject(it, call));
  expectAnswer(response, 201, route.endpoint.operation);
  return response;
}

function withoutProject(it: Subject, call: Call): Call {
  const { project_id: _, ...args } = call.args;
  const { project_id: __, ...body } = call.body ?? {};
  return it.with({ ...call, args }, call.body ? { body } : {});
}

/** Throws unless all that an answer names is the project. */
export function expectProject({ body }: ApiResponse, project: string): void {
  const shown = projectsIn(body);
  expect({ shown, others: shown.filter((id) => id !== project) }).toEqual({ shown: expect.arrayContaining([project]), others: [] });
}

/** The values of every project_id in a response. */
function projectsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === 'project_id' ? [member as unknown] : projectsIn(member)));
}
