import type { ProjectKeys } from './answer.js';

/** What people call the projects and keys that callers send and receive. A promise if some are not known yet. */
export interface ReadNames {
  projectKeysOf(ids: readonly string[]): ProjectKeys | Promise<ProjectKeys>;
  /** The ids of the organization's projects with these keys. */
  projectIdsOf(organizationId: string, keys: readonly string[]): NameOf | Promise<NameOf>;
  /** The names of the organization's API keys. */
  keyNamesOf(organizationId: string, ids: readonly string[]): NameOf | Promise<NameOf>;
}

type NameOf = (id: string) => string | undefined;
