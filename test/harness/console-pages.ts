import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { parametersOf } from '../../src/console/frame/parameters.js';
import { PageTable } from '../../src/console/frame/page-table.js';
import { permissionsOf } from '../../src/console/frame/required.js';
import { RouteRegistry } from '../../src/platform/registry/route-registry.js';

// What the pages of the console declare. Runs in the application's process.

/** A page or one of its forms. No permissions: every member. */
export interface DeclaredAccess {
  permissions: string[];
  operations: DeclaredOperation[];
}

export interface DeclaredOperation {
  name: string;
  /** Of a signed-in member; null if there is no such operation for members. */
  permissions: string[] | null;
}

export interface DeclaredPage extends DeclaredAccess {
  /** The whole path, with parameters as `:id`. */
  path: string;
  title: string;
  isInNavigation: boolean;
  /** The navigation leaves it out once it has served its purpose. */
  canBeOver: boolean;
  actions: Record<string, DeclaredAccess>;
  /** What its address can say. */
  parameters: string[];
}

export function consolePages(app: NestFastifyApplication): DeclaredPage[] {
  const routes = new Map(
    app.get(RouteRegistry).routes.flatMap(({ endpoint, plane }) => (endpoint && plane !== 'keyed' ? [[endpoint.operation, endpoint]] : [])),
  );
  const operationsOf = (names: readonly string[]): DeclaredOperation[] =>
    names.map((name) => ({ name, permissions: routes.has(name) ? [routes.get(name)!.permission ?? []].flat() : null }));
  return app.get(PageTable).pages.map(({ path, title, permission, operations, nav, isCompleted, hasMode, parameters, actions = {} }) => ({
    parameters: ['trail', 'done', ...Object.keys(parametersOf({ hasMode, parameters }))],
    path: `/console${path}`,
    title,
    isInNavigation: nav !== undefined,
    canBeOver: isCompleted !== undefined,
    permissions: [...permissionsOf(permission)],
    operations: operationsOf(operations),
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, action]) => [
        name,
        {
          permissions: [...permissionsOf(action.permission === undefined ? permission : action.permission)],
          operations: operationsOf(action.operations),
        },
      ]),
    ),
  }));
}
