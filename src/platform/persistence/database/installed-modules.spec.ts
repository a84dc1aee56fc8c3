import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { manifestOf } from '../../../kit/internal.js';
import { MODULES } from '../../../modules.js';
import { noteModules } from './installed-modules.js';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('a start says which modules are gone, and that their tables stay', async () => {
  const manifests = MODULES.map(manifestOf);
  expect(await noteModules(database.url, manifests)).toEqual([]);
  const without = manifests.filter(({ name }) => name !== 'lead_webhook');
  const [sentence, ...more] = await noteModules(database.url, without);
  expect(sentence).toMatch(/^The module lead_webhook ran on this database .* Its tables stay: .*lead_webhook_\w+.* Add it again, or drop/);
  expect(more).toEqual([]);
  // at every start, until it is back
  expect(await noteModules(database.url, without)).toEqual([sentence]);
  expect(await noteModules(database.url, manifests)).toEqual([]);
});
