import type { EndpointOptions } from '../../../src/kit/internal.js';

/** The data about a module and its routes that the checks need. */
export interface DescribedModule {
  name: string;
  prefix: string;
  scopes: readonly string[];
  /** The tables of its entities. */
  tables: readonly string[];
  /** The names of its scheduled jobs. */
  scheduledJobs: readonly string[];
  /** Those of all modules. */
  permissions: readonly string[];
  routes: readonly KeyedRoute[];
  memberRoutes: readonly MemberRoute[];
}

/** A route that signed-in members reach. */
export interface MemberRoute {
  method: string;
  path: string;
  operation: string;
  status: number;
  /** The permissions of which the role needs one; empty if any member may call it. */
  permissions: readonly string[];
  /** The operation of the keyed route that declares it with `member`. */
  twinOf: string | null;
}

/** A route that API keys reach; such a route always has an @Endpoint with a scope. */
export interface KeyedRoute {
  method: string;
  path: string;
  endpoint: Pick<EndpointOptions, 'operation' | 'list' | 'lookup' | 'bareList' | 'produces' | 'requiresActor' | 'secrets'> & {
    scope: string;
    status: number;
    /** Whether it returns JSON. */
    returns: boolean;
    /** The media types of the file that is its body. */
    upload: readonly string[] | undefined;
  };
  hasBody: boolean;
  /** Whether its body or query has a project id. */
  takesProject: boolean;
  hasCursor: boolean;
  /** Whether its query has `dry_run`. */
  canRunDry: boolean;
  /** Whether a key can demand that it follows a plan. */
  takesPlan: boolean;
  /** Whether what it deletes can be restored. */
  canBeUndone: boolean;
}

/** The names of a path's parameters, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
}

/** The path up to and including a parameter. */
export function pathUpTo(path: string, parameter: string): string {
  return path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2);
}

export function fillPath(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(ids[name]));
}

/** The path of a list's items, if the module can read or create single ones. */
export function itemPathOf({ path }: KeyedRoute, routes: readonly KeyedRoute[]): string | undefined {
  const single = routes.find(
    (other) =>
      other.path.startsWith(`${path}/{`) && other.path.endsWith('}') && other.path.split('/').length === path.split('/').length + 1,
  );
  return single?.path ?? (routes.some((other) => other.method === 'POST' && other.path === path) ? `${path}/{id}` : undefined);
}
