import { expect, test } from '@jest/globals';
import { loadConfig } from '../../config/config.js';
import { openDatabase } from './database.js';

test('a Unix socket that is missing is named in the error, and the credentials are not', async () => {
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://ada:secret@localhost/suite?host=/no/such/folder' });
  await expect(openDatabase(config)).rejects.toThrow(
    'The database at /no/such/folder/suite cannot be used: connect ENOENT /no/such/folder/.s.PGSQL.5432.',
  );
});
