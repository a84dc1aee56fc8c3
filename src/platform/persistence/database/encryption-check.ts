import { ConfigError } from '../../../kit/index.js';
import { SecretBox } from '../../config/secret-box.js';
import { queryOnce } from '../connections/query-once.js';

/**
 * The first start notes a check value of the encryption key in the database, from which the key cannot be computed. Later starts compare
 * it: with another key, stored secrets could not be decrypted, and new ones would be encrypted with a different key.
 * @throws ConfigError if the key is another one
 */
export async function requireEncryptionKey(connectionString: string, encryptionKey: string): Promise<void> {
  const check = new SecretBox(encryptionKey).mac('check of the encryption key').toString('base64url');
  const [noted] = await queryOnce<{ encryption_check: string | null }>({ connectionString }, 'SELECT encryption_check FROM installation');
  if (noted?.encryption_check === check) return;
  if (noted?.encryption_check)
    throw new ConfigError('ENCRYPTION_KEY is not the one with which the secrets in this database were encrypted: set that one.');
  await queryOnce(
    { connectionString },
    `INSERT INTO installation (encryption_check) VALUES ($1)
     ON CONFLICT (is_only) DO UPDATE SET encryption_check = excluded.encryption_check WHERE installation.encryption_check IS NULL`,
    [check],
  );
}
