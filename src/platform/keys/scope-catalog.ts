/** A module as keys and the consent page name it. */
export interface ScopedModule {
  name: string;
  title: string;
  /** Scope to a line in plain words. */
  scopes: Readonly<Record<string, string>>;
}

/** What keys can be made for. */
export abstract class ScopeCatalog {
  abstract modules(): readonly ScopedModule[];
}
