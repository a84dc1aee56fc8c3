import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { encryptionKeysOf } from '../config/config.js';
import { SecretBox } from '../config/secret-box.js';
import type { AppConfig } from '../config/settings.js';
import { poolOf } from '../persistence/database/pool.js';
import { installationKeys, type InstallationKeys } from './installation-keys.js';

export const INSTALLATION_KEYS = Symbol('installation keys');

/** Encrypts what is stored, with the keys of the configuration; the keys of stored hashes are in the database. */
@Global()
@Module({})
export class SecretsModule {
  static register(config: AppConfig): DynamicModule {
    const encryptionKeys = encryptionKeysOf(config);
    return {
      module: SecretsModule,
      providers: [
        {
          provide: INSTALLATION_KEYS,
          useFactory: (dataSource: DataSource) => installationKeys(poolOf(dataSource), encryptionKeys, config.cursorSecret.reveal()),
          inject: [DataSource],
        },
        { provide: SecretBox, useFactory: ({ mac }: InstallationKeys) => new SecretBox(encryptionKeys, mac), inject: [INSTALLATION_KEYS] },
      ],
      exports: [SecretBox, INSTALLATION_KEYS],
    };
  }
}
