import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ModuleRegistry } from './module-registry.js';
import { PermissionRegistry } from './permission-registry.js';
import { RouteRegistry } from './route-registry.js';

/** The manifests of all domain modules and the decorators of all routes, read and validated at boot. */
@Global()
@Module({})
export class RegistryModule {
  static register(registry: ModuleRegistry): DynamicModule {
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
