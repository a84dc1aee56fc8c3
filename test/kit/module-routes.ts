import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { manifestOf } from '../../src/kit/internal.js';
import { PLATFORM_DECLARATIONS } from '../../src/platform/platform-declarations.js';
import { ModuleRegistry } from '../../src/platform/registry/module-registry.js';
import { RouteRegistry, type Route } from '../../src/platform/registry/route-registry.js';

/** A route that API keys reach; such a route always has an @Endpoint with a scope. */
export type KeyedRoute = Route & { endpoint: NonNullable<Route['endpoint']> & { scope: string } };

/** A module's keyed routes, read without starting anything: tests are named before the application runs. */
export function keyedRoutesOf(Module: Type): KeyedRoute[] {
  const controllers = manifestOf(Module).controllers.map((metatype) => ({ metatype }));
  const registry = new RouteRegistry(
    { getControllers: () => controllers } as unknown as DiscoveryService,
    new ModuleRegistry([Module], PLATFORM_DECLARATIONS),
  );
  registry.onModuleInit();
  return registry.routes.filter((route): route is KeyedRoute => route.plane === 'keyed');
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
