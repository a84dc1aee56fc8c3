import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ModuleRegistry } from '../../src/platform/registry/module-registry.js';
import { encryptedColumns } from '../../src/platform/secrets/encrypted-columns.js';

/** For `TestApp.inside`: the columns that a rotation of the encryption key encrypts again, as `table.column`. */
export function rotatedColumns(app: NestFastifyApplication): string[] {
  return encryptedColumns(app.get(ModuleRegistry).manifests).map(({ table, column }) => `${table}.${column}`);
}
