import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuditModule } from '../platform/audit/audit.module.js';
import { encryptionKeysOf } from '../platform/config/config.js';
import type { AppConfig } from '../platform/config/settings.js';
import { EventsModule } from '../platform/events/events.module.js';
import { StoredObject } from '../platform/files/stored-object.entity.js';
import { ApiKeysModule } from '../platform/keys/api-keys.module.js';
import { ScopeCatalog } from '../platform/keys/scope-catalog.js';
import { AnnouncedKeyChanges, KeyChanges } from '../platform/key-changes/key-changes.js';
import { PeopleModule } from '../platform/people/people.module.js';
import { PROJECT_SETUPS } from '../platform/people/projects/project-setups.js';
import { poolOf } from '../platform/persistence/database/pool.js';
import { PersistenceModule, type PersistenceOptions } from '../platform/persistence/persistence.module.js';
import { declaredScopes } from '../platform/declared-scopes.js';
import { ClosuresService, CLOSURE_SETTINGS } from '../platform/organization-data/closures/closures.service.js';
import { LegalHolds } from '../platform/organization-data/closures/legal-holds.js';
import { PLATFORM_DECLARATIONS } from '../platform/platform-declarations.js';
import { FailFastRedis } from '../platform/redis/redis.js';
import { ModuleRegistry } from '../platform/registry/module-registry.js';
import { PermissionRegistry } from '../platform/registry/permission-registry.js';
import { encryptedColumns } from '../platform/secrets/encrypted-columns.js';
import { SecretRotation } from '../platform/secrets/rotation.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { EVENT_DELIVERIES } from '../platform/webhooks/deliveries/event-deliveries.js';

/** The platform's services that the commands need, without the HTTP server. */
@Global()
@Module({})
export class CliModule {
  static register(config: AppConfig, persistence: PersistenceOptions, modules: readonly Type[]): DynamicModule {
    return {
      module: CliModule,
      imports: [
        PersistenceModule.register(persistence),
        SecretsModule.register(config),
        AuditModule,
        EventsModule.register(EVENT_DELIVERIES),
        PeopleModule.register(config),
        ApiKeysModule,
        // entities of modules refer to them
        TypeOrmModule.forFeature([StoredObject]),
      ],
      providers: [
        ...(config.redisUrl
          ? throughRedis(config.redisUrl.reveal(), config.redisPrefix)
          : [{ provide: KeyChanges, useFactory: () => new AnnouncedKeyChanges(null) }]),
        { provide: ModuleRegistry, useFactory: () => new ModuleRegistry(modules, PLATFORM_DECLARATIONS) },
        { provide: PermissionRegistry, useFactory: (registry: ModuleRegistry) => registry.permissions, inject: [ModuleRegistry] },
        {
          provide: ScopeCatalog,
          useFactory: declaredScopes,
          inject: [ModuleRegistry],
        },
        {
          provide: SecretRotation,
          useFactory: (dataSource: DataSource, registry: ModuleRegistry) =>
            new SecretRotation(poolOf(dataSource), encryptionKeysOf(config), encryptedColumns(registry.manifests)),
          inject: [DataSource, ModuleRegistry],
        },
        LegalHolds,
        { provide: CLOSURE_SETTINGS, useValue: config },
        ClosuresService,
        // no command creates projects
        { provide: PROJECT_SETUPS, useValue: [] },
      ],
      exports: [KeyChanges, ModuleRegistry, PermissionRegistry, ScopeCatalog, PROJECT_SETUPS],
    };
  }
}

function throughRedis(url: string, prefix: string) {
  return [
    { provide: FailFastRedis, useFactory: () => new FailFastRedis(url, prefix) },
    { provide: KeyChanges, useFactory: (redis: FailFastRedis) => new AnnouncedKeyChanges(redis), inject: [FailFastRedis] },
  ];
}
