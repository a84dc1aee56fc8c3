import { expect, test } from '@jest/globals';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { requireEncryptionKey } from './encryption-check.js';

test('a start with another encryption key than the first is refused', async () => {
  const database = await createTestDatabase();
  const start = (key: string) => requireEncryptionKey(database.url, key.repeat(32));
  await Promise.all([start('a'), start('a')]);
  await start('a');
  await expect(start('b')).rejects.toThrow(
    expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(/^ENCRYPTION_KEY /) }),
  );
  await start('a');
  await database.drop();
});
