import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { derived, macKeyOf, SecretBox } from '../config/secret-box.js';

type Purpose = 'mac' | 'fingerprints';

/** How a key came about, which is stored beside it. */
const VERSION = { adopted: 0, derived: 1 };

/**
 * Keys that stay the same when a secret of the configuration is replaced: the hashes made with them are compared with stored ones.
 * Derived at the first start (HKDF) and stored encrypted, so that they change only when somebody means it.
 */
export interface InstallationKeys {
  /** Of hashes of guessable text, such as recovery codes. */
  mac: Buffer;
  /** Of the requests that an Idempotency-Key identifies. */
  /** Not a Buffer, of which createHmac makes such an object in each call: that takes five times as long. */
  fingerprints: KeyObject;
}

export function ownerOfInstallationKey(purpose: string): string {
  return `installation-key:${purpose}`;
}

/**
 * Reads the keys, and creates them at the first start. An installation whose stored fingerprints were made with CURSOR_SECRET, as earlier
 * releases did, adopts that secret's present value, so that an upgrade forgets no Idempotency-Key.
 */
export async function installationKeys(pool: Pool, encryptionKeys: readonly string[], cursorSecret: string): Promise<InstallationKeys> {
  const box = new SecretBox(encryptionKeys);
  const stored = (await storedKeys(pool, box)) ?? (await createKeys(pool, box, encryptionKeys[0], cursorSecret));
  return { mac: stored.get('mac')!, fingerprints: createSecretKey(stored.get('fingerprints')!) };
}

async function storedKeys(pool: Pool, box: SecretBox): Promise<Map<Purpose, Buffer> | null> {
  const { rows } = await pool.query<{ purpose: Purpose; sealed: Buffer }>('SELECT purpose, sealed FROM installation_keys');
  if (rows.length === 0) return null;
  return new Map(
    rows.map(({ purpose, sealed }) => [purpose, Buffer.from(box.open(sealed, ownerOfInstallationKey(purpose)), 'base64')] as const),
  );
}

async function createKeys(pool: Pool, box: SecretBox, encryptionKey: string, cursorSecret: string): Promise<Map<Purpose, Buffer>> {
  const seal = (purpose: Purpose, key: Buffer) => box.seal(key.toString('base64'), ownerOfInstallationKey(purpose));
  // one statement: processes that start at the same time all get what the first one stored
  await pool.query(
    `INSERT INTO installation_keys (purpose, version, sealed)
     SELECT 'mac', $1::int, $2::bytea
     UNION ALL SELECT 'fingerprints', CASE WHEN used THEN $3::int ELSE $1 END, CASE WHEN used THEN $4::bytea ELSE $5::bytea END
     FROM (SELECT EXISTS (SELECT FROM idempotency_records) AS used) AS earlier
     ON CONFLICT DO NOTHING`,
    [
      VERSION.derived,
      seal('mac', macKeyOf(encryptionKey)),
      VERSION.adopted,
      seal('fingerprints', Buffer.from(cursorSecret)),
      seal('fingerprints', derived(encryptionKey, 'work-suite request fingerprints', 32)),
    ],
  );
  return (await storedKeys(pool, box))!;
}
