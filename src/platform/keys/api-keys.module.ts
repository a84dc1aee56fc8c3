import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeySecret } from './api-key-secret.entity.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { ScopesController } from './scopes.controller.js';
import { KEY_LIMITS, KeyLookup, type KeyLimits } from './key-lookup.js';

/** API keys: their routes, and the lookup of a key by its secret. Needs Store, KeysEpoch and ScopeCatalog. */
@Global()
@Module({})
export class ApiKeysModule {
  static register(limits: KeyLimits): DynamicModule {
    return {
      module: ApiKeysModule,
      imports: [TypeOrmModule.forFeature([ApiKey, ApiKeySecret])],
      controllers: [ApiKeysController, ScopesController],
      providers: [{ provide: KEY_LIMITS, useValue: limits }, KeyLookup, ApiKeysService],
      exports: [KeyLookup, ApiKeysService],
    };
  }
}
