import { Module, type DynamicModule, type ForwardReference, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import type { DiscoveryService } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { ConsoleModule } from './console/console.module.js';
import { manifestOf } from './kit/internal.js';
import type { AppConfig } from './platform/config/settings.js';
import { DeveloperModule } from './platform/developer/developer.module.js';
import { PlatformModule, registryOf } from './platform/platform.module.js';
import type { ModuleRegistry } from './platform/registry/module-registry.js';
import { RouteRegistry } from './platform/registry/route-registry.js';

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

  /** Routes that are declared incorrectly fail it, before there is an application. */
  static requireRoutes(options: AppOptions & { registry: ModuleRegistry }): void {
    const controllers = controllersOf(AppModule.register(options)).map((metatype) => ({ metatype }) as InstanceWrapper);
    const discovery: Pick<DiscoveryService, 'getControllers' | 'getProviders'> = {
      getControllers: () => controllers,
      getProviders: () => [],
    };
    void new RouteRegistry(discovery as DiscoveryService, options.registry).routes;
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

type Imported = Type | DynamicModule | Promise<DynamicModule> | ForwardReference;

/** The controllers of a module and of all that it imports. */
function controllersOf(root: Imported, seen = new Set<unknown>()): Type[] {
  const { module = root as Type, controllers = [], imports = [] } = root as Partial<DynamicModule>;
  const declared = <T>(key: string): T[] => (seen.has(module) ? [] : ((Reflect.getMetadata(key, module) ?? []) as T[]));
  const own = [...controllers, ...declared<Type>(MODULE_METADATA.CONTROLLERS)];
  const all = [...imports, ...declared<Imported>(MODULE_METADATA.IMPORTS)] as Imported[];
  seen.add(module);
  return [...new Set([...own, ...all.flatMap((one) => controllersOf(one, seen))])];
}
