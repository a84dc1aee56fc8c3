import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import type { Client } from '../harness/client.js';
import type { TestApp } from '../harness/test-app.js';
import type { Workspace } from '../harness/workspace.js';
import type { IdPool } from './arbitraries.js';
import type { SampleMail } from './sample-mail.js';
import type { TakenValues } from './taken-values.js';

/** What a module declares for the tests of every module, as `contract` in `testing/contract.ts` of its folder. */
export interface ModuleContract {
  /** The operations for keys that the module must have, separated by white space. */
  operations?: string;
  /** The operations for members that correspond to one for keys, if they have another name. */
  memberOperations?: Readonly<Record<string, readonly string[]>>;
  /** The operations for keys without one for members, each with the reason. */
  withoutMemberOperation?: Readonly<Record<string, string>>;
  /** The tools that end or replace what exists, besides those of PUT and DELETE. */
  destructive?: readonly string[];
  /** The DELETE operations that nothing takes back, by their names in the guide on undoing: those of configuration and access. */
  withoutUndo?: readonly string[];
  /** The tools that reach people outside or a model. */
  openWorld?: readonly string[];
  /** Every field of a request body that takes an e-mail address, as `METHOD path field (kind)`. */
  emailFields?: readonly string[];
  /** Creates what arbitrary calls with keys need and cannot create; ids that no list shows go to the pool. */
  prepare?(app: TestApp, workspace: Workspace, pool: IdPool): Promise<void>;
  /** The operations for keys that few arbitrary calls can satisfy, each with the reason. The module's specs test them. */
  rarelySucceed?: Readonly<Record<string, string>>;
  /** Requests that want a value which must be unique. */
  takenValues?(app: TestApp): Promise<TakenValues>;
  /** What large bodies need to get as far as the module's own work. */
  largeBodies?(app: TestApp, workspace: Workspace): Promise<LargeBodies>;
  /** Every mail that the module sends, with awkward data. */
  mails?(): SampleMail[];
  /** Creates what pages of the console show. Returns an address for each of the module's own whose path has parameters, by that path. */
  consolePages?(setting: ConsoleSetting): Promise<Record<string, string>>;
}

/** A signed-in owner of the workspace, and a name that tempts a page to break. */
export interface ConsoleSetting {
  app: TestApp;
  workspace: Workspace;
  owner: Client;
  name: string;
}

export interface LargeBodies {
  /** Values of path parameters by the end of the path before them, such as `/vehicles/`. */
  resources?: Readonly<Record<string, string>>;
  /** Values of fields, by name, wherever the sample of a route has them. */
  values?: Readonly<Record<string, string>>;
  /** Requests with a long text, which must succeed; by path. */
  texts?: Readonly<Record<string, object>>;
}

/** The declarations of the given modules, in their order, by the module's name. */
export async function contractsOf(modules: readonly { name: string }[]): Promise<Map<string, ModuleContract>> {
  const found = new Map<string, ModuleContract>();
  for (const { name } of modules) {
    const file = join(PROJECT_ROOT, 'src/modules', name.replaceAll('_', '-'), 'testing/contract.ts');
    if (!existsSync(file)) continue;
    const { contract } = (await import(pathToFileURL(file).href)) as { contract: ModuleContract };
    found.set(name, contract);
  }
  return found;
}
