import { Injectable, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BaseEntity } from '../../kit/index.js';
import { customFieldEntities, customFieldTargets } from '../../kit/internal.js';
import { CUSTOM_FIELD_TYPES } from '../persistence/rows/custom-field-definitions.js';
import { ModuleRegistry } from '../registry/module-registry.js';

/** A resource that can have custom fields. */
export interface FieldResource {
  resource: string;
  module: string;
  entity: Type<BaseEntity>;
  /** The name of its table. */
  table: string;
}

/** The resources of the modules of this installation. */
@Injectable()
export class CustomFieldResources {
  private resources: readonly FieldResource[] | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ModuleRegistry,
  ) {}

  all(): readonly FieldResource[] {
    return (this.resources ??= this.registry.manifests.flatMap(({ name: module, entities }) =>
      entities.flatMap((entity) => {
        const resource = customFieldEntities().get(entity);
        if (resource === undefined) return [];
        return [{ resource, module, entity: entity as Type<BaseEntity>, table: this.dataSource.getMetadata(entity).tableName }];
      }),
    ));
  }

  find(resource: string): FieldResource | undefined {
    return this.all().find((one) => one.resource === resource);
  }

  /** The types of fields. */
  types(): string[] {
    const declared = [...customFieldTargets()].filter(([, entity]) => this.dataSource.hasMetadata(entity)).map(([type]) => type);
    return [...CUSTOM_FIELD_TYPES, ...declared.sort()];
  }
}
