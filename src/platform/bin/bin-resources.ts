import { Injectable } from '@nestjs/common';
import type { Ctx } from '../../kit/index.js';
import { memberRestorings, snakeCase, type EndpointOptions, type Restorable } from '../../kit/internal.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { RouteRegistry } from '../registry/route-registry.js';

/** A resource whose deleted records a member can restore. */
export interface BinResource {
  resource: string;
  /** That of the route for members, with `{id}`. */
  path: string;
  permission: EndpointOptions['permission'];
  entity: Restorable['entity'];
  handler: Restorable['handler'];
}

/** The restorable resources of the modules. */
@Injectable()
export class BinResources {
  private known: readonly BinResource[] | null = null;

  constructor(
    private readonly modules: ModuleRegistry,
    private readonly routes: RouteRegistry,
  ) {}

  /** Those that the member may restore. */
  of({ permissions }: Ctx): BinResource[] {
    return this.all().filter(({ permission }) => permission == null || [permission].flat().some((one) => permissions.has(one)));
  }

  private all(): readonly BinResource[] {
    return (this.known ??= this.modules.manifests.flatMap(memberRestorings).map(({ restorable, operation, permission }) => {
      const { path } = this.routes.routes.find(({ endpoint, plane }) => plane === 'product' && endpoint?.operation === operation)!;
      const { entity, handler } = restorable;
      return { resource: snakeCase(entity.name), path, permission, entity, handler };
    }));
  }
}
