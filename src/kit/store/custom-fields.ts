import type { Type } from '@nestjs/common';
import { Column } from 'typeorm';

/** The values of a record's custom fields by key. A field without a value is absent. */
export type CustomFieldValues = Record<string, unknown>;

const resources = new Map<Type, string>();
const targets = new Map<string, Type>();

/**
 * The column with the values of the fields that administrators add to a resource, which has the name given here:
 * `@CustomFields('vehicle') custom_fields: CustomFieldValues`. The migration adds
 * `custom_fields jsonb NOT NULL DEFAULT '{}' CONSTRAINT <table>_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`.
 */
export function CustomFields(resource: string): PropertyDecorator {
  return (target, property) => {
    resources.set(target.constructor as Type, resource);
    Column('jsonb', { default: {} })(target, property);
  };
}

/** Makes the rows of an entity the values of a type of custom fields: `@CustomFieldTarget('contact')`. */
export function CustomFieldTarget(type: string): ClassDecorator {
  return (target) => void targets.set(type, target as unknown as Type);
}

/** The resource whose records are the rows of an entity; null if it has no custom fields. */
export function customFieldResource(entity: Type): string | null {
  return resources.get(entity) ?? null;
}

/** The entities with custom fields. */
export function customFieldEntities(): ReadonlyMap<Type, string> {
  return resources;
}

/** The entities to which custom fields can refer, by type. */
export function customFieldTargets(): ReadonlyMap<string, Type> {
  return targets;
}
