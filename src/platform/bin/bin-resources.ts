import { Injectable } from '@nestjs/common';
import type { Ctx } from '../../kit/index.js';
import { restoringOperation, snakeCase, type EndpointOptions, type Restorable } from '../../kit/internal.js';
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
    const byModule = this.modules.manifests.flatMap(({ name, restorable = [] }) => restorable.map((one) => ({ module: name, ...one })));
    return (this.known ??= byModule.map(({ module, entity, handler, deletedBy }) => {
      const operation = restoringOperation(deletedBy);
      const route = this.routes.routes.find(
        ({ plane, endpoint, ...of }) =>
          of.module === module && plane === 'product' && [operation, operation.replace('_', '_org_')].includes(endpoint?.operation ?? ''),
      );
      if (!route) throw new Error(`${module}: members cannot restore what ${deletedBy} deletes, because the operation is for keys only.`);
      return { resource: snakeCase(entity.name), path: route.path, permission: route.endpoint?.permission, entity, handler };
    }));
  }
}
