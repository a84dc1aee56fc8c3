import type { Pool } from 'pg';
import { ConfigError } from '../../kit/index.js';
import { SecretBox } from '../config/secret-box.js';
import { queryOnce } from '../persistence/connections/query-once.js';

/**
 * The first start notes a check value of the encryption key in the database, from which the key cannot be computed. Later starts compare
 * it: with another key, stored secrets could not be decrypted, and new ones would be encrypted with a different key. Resolves to whether
 * the first of the keys is the noted one; otherwise it takes the place of the noted one once the secrets are encrypted with it.
 * @throws ConfigError if none of the keys is the noted one
 */
export async function requireEncryptionKey(connectionString: string, encryptionKeys: readonly string[]): Promise<boolean> {
  const checks = encryptionKeys.map(checkOf);
  const [noted] = await queryOnce<{ encryption_check: string | null }>({ connectionString }, 'SELECT encryption_check FROM installation');
  if (noted?.encryption_check) {
    if (!checks.includes(noted.encryption_check)) throw wrongKey(encryptionKeys.length);
    return noted.encryption_check === checks[0];
  }
  await queryOnce(
    { connectionString },
    `INSERT INTO installation (encryption_check) VALUES ($1)
     ON CONFLICT (is_only) DO UPDATE SET encryption_check = excluded.encryption_check WHERE installation.encryption_check IS NULL`,
    [checks[0]],
  );
  return true;
}

/**
 * For a database whose migrations are still to be applied: a process with the wrong settings changes nothing.
 * @throws ConfigError if it has noted a key, and none of these is it
 */
export async function refuseWrongEncryptionKey(connectionString: string, encryptionKeys: readonly string[]): Promise<void> {
  const columns = await queryOnce(
    { connectionString },
    `SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('installation') AND attname = 'encryption_check'`,
  );
  if (columns.length === 0) return;
  const [noted] = await queryOnce<{ encryption_check: string | null }>({ connectionString }, 'SELECT encryption_check FROM installation');
  if (noted?.encryption_check && !encryptionKeys.map(checkOf).includes(noted.encryption_check)) throw wrongKey(encryptionKeys.length);
}

/** Later starts require this key. */
export async function noteEncryptionKey(pool: Pool, encryptionKey: string): Promise<void> {
  await pool.query('UPDATE installation SET encryption_check = $1', [checkOf(encryptionKey)]);
}

function checkOf(encryptionKey: string): string {
  return new SecretBox([encryptionKey]).mac('check of the encryption key').toString('base64url');
}

function wrongKey(count: number): ConfigError {
  return new ConfigError(
    count > 1
      ? 'None of ENCRYPTION_KEYS is the key with which the secrets in this database were encrypted: add that one.'
      : 'ENCRYPTION_KEY is not the one with which the secrets in this database were encrypted: set that one, or ENCRYPTION_KEYS to the ' +
          'new key and that one.',
  );
}
