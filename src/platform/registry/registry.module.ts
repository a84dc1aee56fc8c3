import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ModuleRegistry, type Declarations } from './module-registry.js';
import { PermissionRegistry } from './permission-registry.js';
import { RouteRegistry } from './route-registry.js';

/** The manifests of all domain modules and the decorators of all routes, read and validated at boot. */
@Global()
@Module({})
export class RegistryModule {
  static register(modules: readonly Type[], platform: Declarations): DynamicModule {
    // created here, so that conflicts fail the boot before anything is opened
    const registry = new ModuleRegistry(modules, platform);
    return {
      module: RegistryModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: ModuleRegistry, useValue: registry },
        { provide: PermissionRegistry, useValue: registry.permissions },
        RouteRegistry,
      ],
      exports: [ModuleRegistry, PermissionRegistry, RouteRegistry],
    };
  }
}
