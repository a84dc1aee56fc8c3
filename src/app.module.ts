import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ConsoleModule } from './console/console.module.js';
import { manifestOf } from './kit/internal.js';
import type { AppConfig } from './platform/config/settings.js';
import { DeveloperModule } from './platform/developer/developer.module.js';
import { PlatformModule, registryOf } from './platform/platform.module.js';
import type { ModuleRegistry } from './platform/registry/module-registry.js';

export interface AppOptions {
  config: AppConfig;
  databaseUrl: string;
  /** The domain modules; `MODULES` except in tests. */
  modules: readonly Type[];
  /** `AppModule.registry` of the modules, if the caller has built it. */
  registry?: ModuleRegistry;
}

/** Provides what modules export to those that use them. The registry checks that each names in its manifest whose exports it injects. */
@Module({})
class UsedModules {}

/** The platform, the console and the domain modules. */
@Module({})
export class AppModule {
  /** Conflicts between the modules' declarations fail it, before anything is opened. */
  static registry(config: AppConfig, modules: readonly Type[]): ModuleRegistry {
    return registryOf(config, [...modules, DeveloperModule]);
  }

  static register(options: AppOptions): DynamicModule {
    const modules = [...options.modules, DeveloperModule];
    const registry = options.registry ?? AppModule.registry(options.config, options.modules);
    const used = [...new Set(modules.flatMap((module) => manifestOf(module).uses ?? []))].filter((module) => modules.includes(module));
    return {
      module: AppModule,
      imports: [
        PlatformModule.register({ ...options, modules, registry }),
        ConsoleModule.register(modules),
        ...modules,
        { module: UsedModules, global: true, imports: used, exports: used },
      ],
    };
  }
}
