import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode, ModuleDemo } from '../kit/index.js';

/** How people, scripts and agents access the demo workspace. The secrets are stored nowhere else. */
export interface DemoFacts {
  base_url: string;
  docs_url: string;
  mcp_url: string;
  /** The page that shows the deliveries to the demo's webhook endpoints. */
  webhooks_url: string;
  /** The addresses of modules, for example `form_url`. One may contain a secret. */
  [address: `${string}_url`]: string | undefined;
  organization_id: string;
  projects: { id: string; key: string; name: string }[];
  members: { email: string; password: string; role: string }[];
  keys: DemoKey[];
  /** Keys of modules that this start leaves out. They are in `keys` again once the module is back, with the secrets that they had. */
  left_out_keys?: DemoKey[];
  /** Request bodies that are valid without changes, by module. */
  samples: Record<string, Awaited<ReturnType<Required<ModuleDemo>['samples']>>>;
}

export interface DemoKey {
  name: string;
  module: string;
  mode: Mode;
  secret: string;
  scopes: string[];
  project_id: string | null;
  actor_email: string | null;
}

/** Reads the file; null if it is missing, unreadable or belongs to another organization. */
export function readDemoFile(dataDir: string, organizationId: string): DemoFacts | null {
  try {
    const facts = JSON.parse(readFileSync(demoFile(dataDir), 'utf8')) as Partial<DemoFacts>;
    return facts.organization_id === organizationId && Array.isArray(facts.members) && Array.isArray(facts.keys)
      ? (facts as DemoFacts)
      : null;
  } catch {
    return null;
  }
}

/** Writes the file atomically and readable only by its owner, because it contains secrets. */
export function writeDemoFile(dataDir: string, facts: DemoFacts): void {
  const file = demoFile(dataDir);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Tells running processes that the demo has other records now. */
export function noteSeeding(dataDir: string): void {
  const [file, now] = [demoFile(dataDir), new Date()];
  if (existsSync(file)) utimesSync(file, now, now);
}

/** When `noteSeeding` was called last, in milliseconds since 1970. */
export function seededAt(dataDir: string): number {
  return statSync(demoFile(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}
