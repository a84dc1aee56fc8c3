import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DOMAIN_MODULES, ModuleRegistry, PLATFORM, type Declarations } from './module-registry.js';
import { RouteRegistry } from './route-registry.js';

/** The manifests of all domain modules and the decorators of all routes, read and validated at boot. */
@Global()
@Module({})
export class RegistryModule {
  static register(modules: readonly Type[], platform: Declarations): DynamicModule {
    return {
      module: RegistryModule,
      imports: [DiscoveryModule],
      providers: [{ provide: DOMAIN_MODULES, useValue: modules }, { provide: PLATFORM, useValue: platform }, ModuleRegistry, RouteRegistry],
      exports: [ModuleRegistry, RouteRegistry],
    };
  }
}
