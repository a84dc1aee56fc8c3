import { DEVELOPER, type ScopeCatalog } from './keys/scope-catalog.js';
import type { ModuleRegistry } from './registry/module-registry.js';

/** The modules of the manifests. Whoever has a key of the module developer must be allowed to read all that events contain. */
export function declaredScopes(registry: ModuleRegistry): ScopeCatalog {
  const permissions = registry.events().flatMap(({ definition }) => (definition.internal ? [] : (definition.permission ?? [])));
  const grants = [...new Set(permissions)].sort();
  const modules = registry.manifests.map((manifest) => (manifest.name === DEVELOPER ? { ...manifest, grants } : manifest));
  return { modules: () => modules };
}
