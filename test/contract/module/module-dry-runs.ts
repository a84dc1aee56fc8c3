import { expect, test } from '@jest/globals';
import type { ModuleContext, Subject } from './module-context.js';
import { expectAnswer } from './module-errors.js';
import type { DescribedModule, KeyedRoute } from './module-routes.js';

/** A job may write rows meanwhile. */
const MOST_ATTEMPTS = 3;

/** Checks that a dry run of a valid call writes nothing. */
export function checkDryRuns(module: DescribedModule, route: KeyedRoute, subject: () => Subject): void {
  if (!route.canRunDry) return;
  test('writes nothing with dry_run=true', async () => {
    expect(await dryRunFaults(module, subject())).toEqual([]);
  });
}

export async function dryRunFaults({ tables }: Pick<DescribedModule, 'tables'>, it: Subject): Promise<string[]> {
  const { context, route } = it;
  const counted = [...tables, 'outbox_events'].filter((table) => !context.requestLogs.includes(table));
  const count = () => context.places.counts(counted, context.workspace.organizationId);
  let grown: string[] = [];
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const call = await dryCall(context, it);
    const before = await count();
    const { status, body, text } = await it.send(await context.keys.good(), call);
    expectAnswer({ status, body, text }, route.endpoint.status, `${route.endpoint.operation} with dry_run=true`);
    const after = await count();
    grown = counted.filter((table) => after.get(table) !== before.get(table));
    if (grown.length === 0) return [];
  }
  return grown.map((table) => `${route.endpoint.operation} with dry_run=true changes the number of rows of ${table}`);
}

/** Checks that a call does what its dry run has shown: nothing of a plan differs between two runs. */
export function checkPlan(route: KeyedRoute, subject: () => Subject): void {
  if (!route.takesPlan) return;
  test('asks before it is executed, and is executed with the token of its plan', async () => {
    const it = subject();
    const client = await it.context.keys.asking();
    const call = await it.context.call(route);
    let response = await it.send(client, call);
    expect([response.status, response.body.error?.code, typeof response.body.error?.plan]).toEqual([
      409,
      'confirmation_required',
      'object',
    ]);
    for (let attempt = 0; attempt < MOST_ATTEMPTS && response.status === 409; attempt++)
      response = await it.send(client, call, { 'svc-plan-token': response.body.error.plan_token as string });
    expectAnswer(response, route.endpoint.status, `${route.endpoint.operation} with its plan`);
  });
}

async function dryCall(context: ModuleContext, it: Subject) {
  const call = await context.call(it.route);
  return it.with({ ...call, args: { ...call.args, dry_run: true } }, { body: call.body });
}
