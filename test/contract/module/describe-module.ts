import { beforeAll, describe } from '@jest/globals';
import { checkAccess } from './module-access.js';
import { checkCopies } from './module-copies.js';
import { checkCustomFields } from './module-custom-fields.js';
import { checkDryRuns, checkPlan } from './module-dry-runs.js';
import { checkEventProjects, checkEvents } from './module-events.js';
import { checkGaps } from './module-gaps.js';
import { checkResponses, checkTestMode } from './module-responses.js';
import { checkIdempotency } from './module-idempotency.js';
import { checkIsolation } from './module-isolation.js';
import { checkMcp } from './module-mcp.js';
import { checkMemberCalls } from './module-member-calls.js';
import { checkMembers } from './module-members.js';
import { checkValidation } from './module-validation.js';
import { checkForeignValues } from './module-values.js';
import { checkWrites } from './module-writes.js';
import { checkVersions } from './module-versions.js';
import { checkVisibility } from './module-visibility.js';
import { checkOptionalProject, checkProjectLookup } from './module-projects.js';
import type { DescribeModuleOptions } from './module-samples.js';
import { checkSources } from './module-sources.js';
import { ownValues } from './module-variants.js';
import { ModuleContext } from './module-context.js';
import type { TestApp } from '../../harness/test-app.js';

/**
 * The tests that every route of a module must pass, derived from its manifest, its declared routes and the OpenAPI document:
 * keys, scopes, addresses, other projects, organizations and modes, invalid input of every field, limits, idempotency, log, MCP.
 * Await it at the top level of a test file, because the application lists the routes.
 *
 * @example
 * ```ts
 * import { describeModule, sharedApp } from 'work-suite/testing';
 *
 * await describeModule(await sharedApp(), 'notes', {
 *   samples: {
 *     create_note: ({ project, unique }) => ({ project_id: project.id, title: `Note ${unique()}` }),
 *     update_note: ({ unique }) => ({ title: `Note ${unique()}` }),
 *   },
 * });
 * ```
 */
export async function describeModule(app: TestApp, name: string, options: DescribeModuleOptions = {}): Promise<void> {
  const module = await app.inside<typeof import('./read-module.js')>('test/contract/module/read-module.ts').readModule(name);
  describe(`the code of the module ${name}`, () => checkSources(module));
  describe(`every route of the module ${name}`, () => {
    let world: ModuleContext;
    beforeAll(async () => {
      world = await ModuleContext.create(app, module, options);
      // what a handler keeps of its first call has rows; why they cannot be made is told by the check that compares reads
      await ownValues(world, module.routes).catch(() => undefined);
    });

    checkProjectLookup(module);
    checkMembers(module, () => world);
    checkVisibility(module, () => world);
    checkMemberCalls(module, () => world);
    checkCustomFields(module, () => world);
    checkWrites(module, () => world);
    checkEvents(module, () => world);
    checkCopies(module, () => world);
    checkVersions(module, () => world);
    checkForeignValues(module, () => world);

    for (const [index, route] of module.routes.entries()) {
      describe(`${route.endpoint.operation} (${route.method} ${route.path})`, () => {
        const subject = () => world.subject(route);
        checkResponses(route, subject);
        checkAccess(route, subject, { first: index === 0 });
        checkIsolation(route, subject, module.routes);
        checkTestMode(route, subject);
        checkOptionalProject(route, subject);
        checkValidation(route, subject);
        checkIdempotency(route, subject);
        checkDryRuns(module, route, subject);
        checkPlan(route, subject);
        checkMcp(route, subject);
      });
    }

    checkEventProjects(() => world);
    checkGaps(module, () => world);
  });
}
