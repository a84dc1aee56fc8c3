import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ModuleRegistry, type Declarations } from './module-registry.js';
import { RouteRegistry } from './route-registry.js';

/** The manifests of all domain modules and the decorators of all routes, read and validated at boot. */
@Global()
@Module({})
export class RegistryModule {
  static register(modules: readonly Type[], platform: Declarations): DynamicModule {
    return {
      module: RegistryModule,
      imports: [DiscoveryModule],
      // created here, so that conflicts fail the boot before anything is opened
      providers: [{ provide: ModuleRegistry, useValue: new ModuleRegistry(modules, platform) }, RouteRegistry],
      exports: [ModuleRegistry, RouteRegistry],
    };
  }
}
