/** A module, as shown for keys and on the consent page. */
export interface ScopedModule {
  name: string;
  title: string;
  /** Descriptions by scope. */
  scopes: Readonly<Record<string, string>>;
}

/** The modules for which keys can be created. */
export abstract class ScopeCatalog {
  abstract modules(): readonly ScopedModule[];
}
