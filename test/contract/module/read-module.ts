import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { fieldsOf } from '../../../src/kit/index.js';
import { isRestorableDeletion, memberOperation, scheduledJobOf } from '../../../src/kit/internal.js';
import { ModuleRegistry } from '../../../src/platform/registry/module-registry.js';
import { RouteRegistry, takesPlan, type Route } from '../../../src/platform/registry/route-registry.js';
import type { DescribedModule, KeyedRoute, MemberRoute } from './module-routes.js';

/** What describe-module.ts reads from an application, in the application's process. */
export function readModule(app: NestFastifyApplication, name: string): DescribedModule {
  const manifest = app.get(ModuleRegistry).manifests.find((candidate) => candidate.name === name);
  if (!manifest) throw new Error(`The application has no module ${name}.`);
  const routes = app.get(RouteRegistry).routes.filter(({ module }) => module === name);
  const keyed = routes.filter(({ plane }) => plane === 'keyed');
  const twins = new Map(keyed.map(({ endpoint }) => [memberOperation(endpoint!), endpoint!.operation]));
  return {
    name,
    prefix: manifest.prefix,
    scopes: Object.keys(manifest.scopes),
    tables: (manifest.entities ?? []).map((entity) => app.get(DataSource).getMetadata(entity).tableName),
    scheduledJobs: (manifest.scheduledJobs ?? []).map((job) => scheduledJobOf(job).name),
    permissions: app.get(ModuleRegistry).permissions.all.map((permission) => permission.name),
    routes: keyed.map(keyedRoute),
    memberRoutes: routes.filter(({ plane }) => plane === 'product').map((route) => memberRoute(route, twins)),
  };
}

function keyedRoute(route: Route): KeyedRoute {
  const { method, path, endpoint, bodyDto, queryDto } = route;
  const { operation, scope, status, list, lookup, bareList, produces, requiresActor, secrets, returns, upload } = endpoint!;
  return {
    method,
    path,
    endpoint: {
      operation,
      scope: scope!,
      status,
      list,
      lookup,
      bareList,
      produces,
      requiresActor,
      secrets,
      returns: returns !== null,
      upload: upload && Object.keys(upload),
    },
    hasBody: bodyDto !== null,
    takesProject: has(bodyDto, 'project_id') || has(queryDto, 'project_id'),
    hasCursor: has(queryDto, 'cursor'),
    canRunDry: has(queryDto, 'dry_run'),
    takesPlan: takesPlan(route),
    canBeUndone: isRestorableDeletion(operation),
  };
}

function memberRoute({ method, path, endpoint }: Route, twins: ReadonlyMap<string | undefined, string>): MemberRoute {
  const { operation, status, permission } = endpoint!;
  return { method, path, operation, status, permissions: [permission ?? []].flat(), twinOf: twins.get(operation) ?? null };
}

function has(dto: Type | null, field: string): boolean {
  return dto !== null && fieldsOf(dto).has(field);
}
