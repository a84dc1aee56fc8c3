import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource, type MigrationInterface } from 'typeorm';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

const FOLDER = join(PROJECT_ROOT, 'migrations');

/** For `TestApp.inside`: runs one migration, named as its file without the timestamp, on the application's database. */
export async function runMigration(app: NestFastifyApplication, name: string, direction: 'up' | 'down'): Promise<void> {
  const file = readdirSync(FOLDER).find((candidate) => candidate.replace(/^\d+-/, '') === `${name}.ts`);
  if (!file) throw new Error(`There is no migration ${name}.`);
  const [Migration] = Object.values((await import(join(FOLDER, file))) as Record<string, new () => MigrationInterface>);
  const runner = app.get(DataSource).createQueryRunner();
  try {
    await new Migration()[direction](runner);
  } finally {
    await runner.release();
  }
}
