import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ConsoleModule } from './console/console.module.js';
import type { AppConfig } from './platform/config/settings.js';
import { PlatformModule } from './platform/platform.module.js';

export interface AppOptions {
  config: AppConfig;
  databaseUrl: string;
  /** The domain modules; `MODULES` except in tests. */
  modules: readonly Type[];
}

/** The platform, the console and the domain modules. */
@Module({})
export class AppModule {
  static register(options: AppOptions): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.register(options), ConsoleModule, ...options.modules] };
  }
}
