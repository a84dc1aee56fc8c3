import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoFile, type DemoFacts } from '../../src/demo/demo-file.js';
import { Client } from './client.js';
import type { Inside } from './remote.js';
import type { TestApp } from './test-app.js';

/** The demo of an application whose database has no organization yet, and its data folder. */
export class Demo {
  readonly folder = mkdtempSync(join(tmpdir(), 'work-suite-demo-'));
  private readonly inside: Inside<typeof import('./start-demo.js')>;

  constructor(private readonly app: TestApp) {
    this.inside = app.inside('test/harness/start-demo.ts');
  }

  /** Prepares the demo as a start does. Returns what it prints. */
  start(): Promise<string> {
    return this.inside.startDemo(this.folder);
  }

  setBaseUrl(url: string): Promise<void> {
    return this.inside.setBaseUrl(url);
  }

  get file(): string {
    return demoFile(this.folder);
  }

  facts(): DemoFacts {
    return JSON.parse(readFileSync(this.file, 'utf8')) as DemoFacts;
  }

  secret(keyName: string): string {
    const { keys } = this.facts();
    const key = keys.find(({ name }) => name === keyName);
    if (!key) throw new Error(`No key "${keyName}" among ${keys.map(({ name }) => name).join('; ')}`);
    return key.secret;
  }

  key(name: string): Client {
    return new Client(this.app.url, { authorization: `Bearer ${this.secret(name)}` });
  }

  deleteFolder(): void {
    rmSync(this.folder, { recursive: true });
  }
}
