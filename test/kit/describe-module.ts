import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { Mode, Project } from '../../src/kit/index.js';
import { createTestApp, type TestApp } from './app.js';
import type { Client } from './client.js';
import { checkAccess } from './module-access.js';
import { checkAnswers } from './module-answers.js';
import { checkIdempotency } from './module-idempotency.js';
import { checkIsolation } from './module-isolation.js';
import { checkMcp } from './module-mcp.js';
import { keyedRoutesOf } from './module-routes.js';
import { checkShape } from './module-shape.js';
import { ModuleWorld } from './module-world.js';
import type { Workspace } from './workspace.js';

/** Where a sample or a resource is wanted: which organisation, project and mode. */
export interface Place {
  workspace: Workspace;
  project: Project;
  mode: Mode;
  /** Calls with an organisation-wide key of this mode that holds all scopes of the module and is bound to the owner. */
  client: Client;
  /** A short text that was never given out before, for fields that must be unique. */
  unique(): string;
}

/**
 * What a valid call sends: body fields and query parameters together, under their names, without the ids of the path.
 * Called for each call anew, so whatever must be unique is made with `place.unique()`.
 */
export type Sample = (place: Place) => Record<string, unknown> | Promise<Record<string, unknown>>;

/** A resource that a path's parameter names. */
export interface Resource {
  /** Makes one in the place (or finds one, where the module cannot make any) and returns its id; `ids` are those before it in the path. */
  make(place: Place, ids: Readonly<Record<string, string>>): string | Promise<string>;
  /**
   * What hides it, in the words of the kit: `business` (the default) organisation, project pin and mode; `configuration`
   * organisation and project pin; `organization` the organisation alone.
   */
  scoping?: 'business' | 'configuration' | 'organization';
}

export interface DescribeModuleOptions {
  /** The running application, when the test file has one; otherwise one is started with all of the product's modules. */
  app?: () => TestApp;
  /** By operation. Needed where a body or query has required fields; what it gives for a PATCH is a real change. */
  samples?: Readonly<Record<string, Sample>>;
  /**
   * By path below the module's prefix, up to the parameter: `'/projects/{id}'`. Not needed where POST on the collection
   * (`/tasks` for `/tasks/{id}`) makes a business resource.
   */
  resources?: Readonly<Record<string, Resource>>;
}

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
