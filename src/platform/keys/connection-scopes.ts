import type { ScopeCatalog, ScopedModule } from './scope-catalog.js';

/** The value of `module` in the row of a connection, which can span several modules. */
export const CONNECTION = 'mcp';

/** The modules that a connection of an MCP client can span: those with tools, unless their keys need permissions of their own. */
export function connectableModules(catalog: ScopeCatalog): readonly ScopedModule[] {
  return catalog
    .modules()
    .filter(({ keys, grants, scopes }) => keys === undefined && grants === undefined && Object.keys(scopes).length > 0);
}

/** All scopes that a connection can have, in the modules' order. */
export function connectableScopes(catalog: ScopeCatalog): string[] {
  return connectableModules(catalog).flatMap(({ scopes }) => Object.keys(scopes));
}

/** The permissions that scopes require, by scope, of a module or of all that a connection can span. */
export function scopePermissionsOf(catalog: ScopeCatalog, moduleName: string): Readonly<Record<string, string>> {
  const modules = moduleName === CONNECTION ? connectableModules(catalog) : catalog.modules().filter(({ name }) => name === moduleName);
  return Object.assign({}, ...modules.map(({ scopePermissions }) => scopePermissions)) as Record<string, string>;
}
