import { expect, test } from '@jest/globals';
import { createTestDatabase } from '../../../test/harness/test-database.js';
import { requireEncryptionKey } from './encryption-check.js';

test('a start with another encryption key than the first is refused', async () => {
  const database = await createTestDatabase();
  const start = (...keys: string[]) =>
    requireEncryptionKey(
      database.url,
      keys.map((key) => key.repeat(32)),
    );
  await Promise.all([start('a'), start('a')]);
  expect(await start('a')).toBe(true);
  await expect(start('b')).rejects.toThrow(
    expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(/^ENCRYPTION_KEY /) }),
  );
  expect(await start('b', 'a')).toBe(false);
  await expect(start('b', 'c')).rejects.toThrow(/^None of ENCRYPTION_KEYS /);
  expect(await start('a')).toBe(true);
  await database.drop();
});
