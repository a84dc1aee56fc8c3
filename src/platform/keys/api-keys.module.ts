import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeySecret } from './api-key-secret.entity.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { ScopesController } from './scopes.controller.js';

/** API keys and their routes. Needs Store, KeyChanges and ScopeCatalog. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, ApiKeySecret])],
  controllers: [ApiKeysController, ScopesController],
  providers: [ApiKeysService],
  exports: [ApiKeysService],
})
export class ApiKeysModule {}
