import type { Type } from '@nestjs/common';
import { Column } from 'typeorm';
import type { BaseEntity } from './entities.js';

/** The values of a record's custom fields by key. A field without a value is absent. */
export type CustomFieldValues = Record<string, unknown>;

/** The row that gets custom fields. */
export interface CustomFieldOptions {
  /** The project of a new row. */
  projectId: string;
  /** Whether fields that are required must be given. Say false for a row that nobody fills in, such as one made from a mail. */
  isComplete?: boolean;
  /** Required fields whose values are not known yet. */
  open?: readonly string[];
  /** Leaves out values that are unknown or not valid: those of a row of another resource. */
  onlyValid?: boolean;
}

/** The custom fields that a change writes: `tx.customFields`. */
export abstract class CustomFieldChecks {
  /**
   * Those of a new row, with their defaults, for `insert`: `custom_fields: await tx.customFields.ofNew(Task, body.custom_fields,
   * { projectId })`. Throws 400 for the field that is unknown, missing or not valid, and 409 for a value that must be unique and exists.
   */
  abstract ofNew(entity: Type<BaseEntity>, given: CustomFieldValues | undefined, options: CustomFieldOptions): Promise<CustomFieldValues>;
  /** Those of a row after a merge patch, for `update`: given ones are replaced, null clears one, the others stay. */
  abstract ofChanged(
    row: BaseEntity & { project_id: string; custom_fields: CustomFieldValues },
    given: CustomFieldValues | undefined,
  ): Promise<CustomFieldValues>;
}

const resources = new Map<Type, string>();
const MEMBER = 'custom_fields.';
const targets = new Map<string, Type>();

/**
 * The column with the values of the fields that administrators add to a resource, which has the name given here:
 * `@CustomFields('vehicle') custom_fields: CustomFieldValues`. The migration adds
 * `custom_fields jsonb NOT NULL DEFAULT '{}' CONSTRAINT <table>_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`.
 *
 * @example
 * ```ts
 * import { Entity } from 'typeorm';
 * import { BusinessEntity, CustomFields, type CustomFieldValues } from 'work-suite/kit';
 *
 * @Entity('vehicles')
 * export class Vehicle extends BusinessEntity {
 *   @CustomFields('vehicle')
 *   custom_fields: CustomFieldValues;
 * }
 * ```
 */
export function CustomFields(resource: string): PropertyDecorator {
  return (target, property) => {
    resources.set(target.constructor as Type, resource);
    Column('jsonb', { default: {} })(target, property);
  };
}

/**
 * For `tx.customFields.ofNew` of a row of which some values are not known yet, because a form's answers will give them: `open` also
 * contains `custom_fields.<key>` for each of them, or `custom_fields` for all.
 *
 * @example
 * ```ts
 * import { openCustomFields } from 'work-suite/kit';
 *
 * // the answers of a form will give the region, and the rest is known
 * const { values, open, isComplete } = openCustomFields({ tier: 'gold' }, ['custom_fields.region']);
 * ```
 */
export function openCustomFields(given: CustomFieldValues | undefined, open: readonly string[]) {
  const keys = open.filter((name) => name.startsWith(MEMBER)).map((name) => name.slice(MEMBER.length));
  const values: CustomFieldValues = { ...given, ...Object.fromEntries(keys.map((key) => [key, null])) };
  return { values, open: keys, isComplete: !open.includes('custom_fields') };
}

/**
 * Makes the rows of an entity the values of a type of custom fields: `@CustomFieldTarget('contact')`.
 *
 * @example
 * ```ts
 * import { Column, Entity } from 'typeorm';
 * import { BusinessEntity, CustomFieldTarget } from 'work-suite/kit';
 *
 * @Entity('fleet_vehicles')
 * @CustomFieldTarget('vehicle')
 * export class Vehicle extends BusinessEntity {
 *   @Column('text')
 *   name: string;
 * }
 * ```
 */
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
