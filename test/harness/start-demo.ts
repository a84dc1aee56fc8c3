import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { callAsDemo } from '../../src/demo/calls.js';
import type { DemoFacts } from '../../src/demo/demo-file.js';
import { seedDemo } from '../../src/demo/demo-seed.js';
import { prepareDemo } from '../../src/demo/demo.js';
import { Secret } from '../../src/kit/index.js';
import { MissingSetups } from '../../src/platform/people/projects/missing-setups.js';
import { BaseUrl } from '../../src/platform/config/base-url.js';

/** For `TestApp.inside`: prepares the demo as a start does. Returns what it prints. */
export async function startDemo(app: NestFastifyApplication, dataDir: string, seed?: string): Promise<string> {
  const printed: string[] = [];
  const { log } = console;
  console.log = (...lines: unknown[]) => void printed.push(lines.join(' '));
  try {
    await app.get(MissingSetups).apply();
    await prepareDemo(app, { dataDir, databaseUrl: undefined, demoSecretSeed: seed && new Secret(seed) } as never);
    return printed.join('\n');
  } finally {
    console.log = log;
  }
}

/** For `TestApp.inside`: the calls that follow the first start, with each reading one once. */
export function makeCalls(app: NestFastifyApplication, facts: DemoFacts): Promise<void> {
  return callAsDemo(app, facts, 1);
}

/** For `TestApp.inside`: what `work-suite demo:seed` does. */
export function seedAgain(app: NestFastifyApplication, seed: string, options: { erase: boolean }): Promise<string | null> {
  return seedDemo(app, { demoSecretSeed: new Secret(seed) }, options);
}

/** For `TestApp.inside`: the address that links begin with. */
export function setBaseUrl(app: NestFastifyApplication, url: string): void {
  app.get(BaseUrl).value = url;
}
