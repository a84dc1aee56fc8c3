import { beforeAll, describe } from '@jest/globals';
import { checkAccess } from './module-access.js';
import { checkAnswers } from './module-answers.js';
import { checkIdempotency } from './module-idempotency.js';
import { checkIsolation } from './module-isolation.js';
import { checkMcp } from './module-mcp.js';
import { checkShape } from './module-shape.js';
import type { DescribeModuleOptions } from './module-samples.js';
import { ModuleWorld } from './module-world.js';
import type { TestApp } from './test-app.js';

/**
 * The tests that every route of a module must pass, derived from its manifest, its declared routes and the OpenAPI document:
 * keys, scopes, addresses, other projects, organizations and modes, bad input of every field, limits, idempotency, log, MCP.
 * Await it at the top of a test file: the application names the routes.
 *
 * ```ts
 * await describeModule(await sharedApp(), 'notes', {
 *   samples: {
 *     create_note: ({ project, unique }) => ({ project_id: project.id, title: `Note ${unique()}` }),
 *     update_note: ({ unique }) => ({ title: `Note ${unique()}` }),
 *   },
 * });
 * ```
 */
export async function describeModule(app: TestApp, name: string, options: DescribeModuleOptions = {}): Promise<void> {
  const module = await app.inside<typeof import('./read-module.js')>('test/kit/read-module.ts').readModule(name);
  describe(`every route of the module ${name}`, () => {
    let world: ModuleWorld;
    beforeAll(async () => {
      world = await ModuleWorld.create(app, module, options);
    });

    for (const route of module.routes) {
      describe(`${route.endpoint.operation} (${route.method} ${route.path})`, () => {
        const subject = () => world.subject(route);
        checkAnswers(route, subject);
        checkAccess(route, subject);
        checkIsolation(route, subject, module.routes);
        checkShape(route, subject);
        checkIdempotency(route, subject);
        checkMcp(route, subject);
      });
    }
  });
}
