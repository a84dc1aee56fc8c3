import type { INestApplicationContext } from '@nestjs/common';
import type { AppConfig } from '../platform/config/settings.js';
import { PurgeTestRows } from '../platform/scheduled-jobs/purge-test-rows.js';
import { seedTestData } from './module-parts.js';
import { demoOrganization } from './workspace.js';

/** For one pass of the erasure; what is locked meanwhile is tried again. */
const PASS_MS = 10_000;

/** Creates the demo data again; `erase` deletes the old data first. Returns the reason if it could not. */
export async function seedDemo(
  app: INestApplicationContext,
  config: Pick<AppConfig, 'demoSecretSeed'>,
  { erase }: { erase: boolean },
): Promise<string | null> {
  const organizationId = await demoOrganization(app);
  if (organizationId === null) return 'This database has no demo workspace: npm start makes one in an empty database.';
  const testRows = app.get(PurgeTestRows);
  const left = async () => [...(await testRows.count(organizationId)).values()].reduce((sum, rows) => sum + rows, 0);
  let rows = await left();
  if (erase)
    for (let before = Infinity; rows > 0 && rows < before; rows = await left()) {
      before = rows;
      await testRows.erase(organizationId, PASS_MS, new AbortController().signal);
    }
  if (rows > 0 && !erase) return `There are ${rows} rows of test data. With --erase they are deleted before.`;
  if (rows > 0) return `${rows} rows of test data could not be deleted, because they are in use. Try again.`;
  await seedTestData(app, organizationId, config.demoSecretSeed);
  return null;
}
