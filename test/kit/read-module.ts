import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fieldsOf } from '../../src/kit/index.js';
import { ModuleRegistry } from '../../src/platform/registry/module-registry.js';
import { RouteRegistry } from '../../src/platform/registry/route-registry.js';
import type { DescribedModule } from './module-routes.js';

/** What describe-module.ts reads from an application, in the application's process. */
export function readModule(app: NestFastifyApplication, name: string): DescribedModule {
  const manifest = app.get(ModuleRegistry).manifests.find((candidate) => candidate.name === name);
  if (!manifest) throw new Error(`The application has no module ${name}.`);
  const routes = app.get(RouteRegistry).routes.filter((route) => route.plane === 'keyed' && route.module === name);
  return {
    name,
    prefix: manifest.prefix,
    scopes: Object.keys(manifest.scopes),
    routes: routes.map(({ method, path, endpoint, bodyDto, queryDto }) => {
      const { operation, scope, status, list, lookup, bareList, produces, requiresActor, secrets, returns } = endpoint!;
      return {
        method,
        path,
        endpoint: { operation, scope: scope!, status, list, lookup, bareList, produces, requiresActor, secrets, returns: returns !== null },
        hasBody: bodyDto !== null,
        takesProject: has(bodyDto, 'project_id') || has(queryDto, 'project_id'),
        hasCursor: has(queryDto, 'cursor'),
      };
    }),
  };
}

function has(dto: Type | null, field: string): boolean {
  return dto !== null && fieldsOf(dto).has(field);
}
