import type { ModuleKeys } from '../../kit/index.js';

/** The module whose keys read the events of all modules. */
export const DEVELOPER = 'developer';

/** A module, as shown for keys and on the consent page. */
export interface ScopedModule {
  name: string;
  title: string;
  /** Descriptions by scope. */
  scopes: Readonly<Record<string, string>>;
  /** The permission that a scope requires of whoever makes a key with it, and of the key's member at each call. */
  scopePermissions?: Readonly<Record<string, string>>;
  /** The permissions that whoever makes one of its keys must have, and the key's member at each call. No connection spans the module. */
  grants?: readonly string[];
  /** What differs for its keys. */
  keys?: ModuleKeys;
}

/** The modules for which keys can be created. */
export abstract class ScopeCatalog {
  abstract modules(): readonly ScopedModule[];
}
