import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DOMAIN_MODULES, ModuleRegistry } from './module-registry.js';
import { RouteRegistry } from './route-registry.js';

@Global()
@Module({})
export class RegistryModule {
  static register(modules: readonly Type[]): DynamicModule {
    return {
      module: RegistryModule,
      imports: [DiscoveryModule],
      providers: [{ provide: DOMAIN_MODULES, useValue: modules }, ModuleRegistry, RouteRegistry],
      exports: [ModuleRegistry, RouteRegistry],
    };
  }
}
