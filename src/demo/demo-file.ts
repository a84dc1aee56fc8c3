import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from '../kit/index.js';

/** What a newcomer, a script or an agent has to know of the demo workspace; the secrets stand nowhere else. */
export interface DemoFacts {
  base_url: string;
  docs_url: string;
  mcp_url: string;
  /** The page that shows what the demo's webhook endpoints got. */
  webhooks_url: string;
  /** A public form whose answers become a document; null without the module that has it. */
  form_url: string | null;
  organization_id: string;
  projects: { id: string; key: string; name: string }[];
  members: { email: string; password: string; role: string }[];
  keys: DemoKey[];
  samples: DemoSamples;
}

/** Bodies that are accepted as they stand. */
export interface DemoSamples {
  /** Complete `data_values`, by the code of the type. */
  documents: Record<string, Readonly<Record<string, unknown>>>;
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

/** The facts kept for this organisation; null when the file is missing, unreadable or another organisation's. */
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

/** Readable by its owner only, and never there by half. */
export function writeDemoFile(dataDir: string, facts: DemoFacts): void {
  const file = demoFile(dataDir);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}
