import { encryptedColumnsOf, type Manifest } from '../../kit/internal.js';
import { MODULES_OWNER } from '../config/module-settings.js';
import { tableOfEntity } from '../persistence/database/installed-modules.js';
import { headersOwner } from '../webhooks/endpoints/own-headers.js';
import { ownerOfInstallationKey } from './installation-keys.js';

/** A column of ciphertexts. The demo's spec looks for ciphertexts in all other columns. */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** `text` contains base64url, `list` an array of ciphertexts. */
  kind: 'bytes' | 'list' | 'text';
  /** The owner for whom the row's secrets were sealed, by its primary key. */
  ownerOf(id: string): string;
}

const itself = (id: string) => id;

/** Those of the platform; modules declare theirs with `@EncryptedColumn`. */
const OF_PLATFORM: readonly EncryptedColumn[] = [
  { table: 'installation_keys', column: 'sealed', kind: 'bytes', ownerOf: ownerOfInstallationKey },
  { table: 'webhook_endpoints', column: 'secret', kind: 'bytes', ownerOf: itself },
  { table: 'webhook_endpoints', column: 'earlier_secrets', kind: 'list', ownerOf: itself },
  { table: 'webhook_endpoints', column: 'headers', kind: 'bytes', ownerOf: headersOwner },
  { table: 'second_factors', column: 'secret', kind: 'bytes', ownerOf: itself },
  { table: 'oauth_clients', column: 'secret', kind: 'bytes', ownerOf: (id) => `oauth-client:${id}` },
  { table: 'request_bodies', column: 'content', kind: 'bytes', ownerOf: itself },
];

export function encryptedColumns(manifests: readonly Pick<Manifest, 'entities'>[]): EncryptedColumn[] {
  const ofModules = manifests.flatMap(({ entities }) =>
    entities.flatMap((entity) =>
      encryptedColumnsOf(entity).map((column): EncryptedColumn => ({
        table: tableOfEntity(entity),
        column,
        kind: 'text',
        ownerOf: () => MODULES_OWNER,
      })),
    ),
  );
  return [...OF_PLATFORM, ...ofModules];
}
