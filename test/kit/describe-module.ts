import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { createTestApp, type TestApp } from './app.js';
import { checkAccess } from './module-access.js';
import { checkAnswers } from './module-answers.js';
import { checkIdempotency } from './module-idempotency.js';
import { checkIsolation } from './module-isolation.js';
import { checkMcp } from './module-mcp.js';
import { keyedRoutesOf } from './module-routes.js';
import { checkShape } from './module-shape.js';
import type { DescribeModuleOptions } from './module-samples.js';
import { ModuleWorld } from './module-world.js';

/**
 * The tests that every route of a module must pass, derived from its manifest, its declared routes and the OpenAPI document:
 * keys, scopes, addresses, other projects, organisations and modes, bad input of every field, limits, idempotency, log, MCP.
 *
 * ```ts
 * describeModule(NotesModule, {
 *   samples: {
 *     create_note: ({ project, unique }) => ({ project_id: project.id, title: `Note ${unique()}` }),
 *     update_note: ({ unique }) => ({ title: `Note ${unique()}` }),
 *   },
 * });
 * ```
 */
export function describeModule(Module: Type, options: DescribeModuleOptions = {}): void {
  const routes = keyedRoutesOf(Module);
  describe(`every route of ${Module.name}`, () => {
    let own: TestApp | null = null;
    let world: ModuleWorld;
    beforeAll(async () => {
      if (!options.app) own = await createTestApp();
      world = await ModuleWorld.create(options.app?.() ?? (own as TestApp), Module, routes, options);
    });
    afterAll(() => own?.close());

    for (const route of routes) {
      describe(`${route.endpoint.operation} (${route.method} ${route.path})`, () => {
        const subject = () => world.subject(route);
        checkAnswers(route, subject);
        checkAccess(route, subject);
        checkIsolation(route, subject, routes);
        checkShape(route, subject);
        checkIdempotency(route, subject);
        checkMcp(route, subject);
      });
    }
  });
}
