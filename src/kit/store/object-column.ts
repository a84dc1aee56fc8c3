import { Column } from 'typeorm';

const columns: { entity: object; column: string }[] = [];

/**
 * A nullable column with the id of an object: the content of a file that `Files.keep` stored. Its name ends with `_object_id`. The
 * migration adds a foreign key, an index and a trigger, as `migrations/1798863200010-documents-objects.ts` does: an object is deleted only
 * when nothing refers to it, which the trigger notes.
 *
 * @example
 * ```ts
 * import { Entity } from 'typeorm';
 * import { BusinessEntity, ObjectColumn } from 'work-suite/kit';
 *
 * @Entity('fleet_papers')
 * export class Paper extends BusinessEntity {
 *   @ObjectColumn()
 *   scan_object_id: string | null;
 * }
 * ```
 */
export function ObjectColumn(): PropertyDecorator {
  return (target, property) => {
    const column = String(property);
    if (!column.endsWith('_object_id')) throw new Error(`${target.constructor.name}.${column} must end with _object_id.`);
    columns.push({ entity: target.constructor, column });
    Column('uuid', { nullable: true })(target, property);
  };
}

/** All columns that refer to objects. */
export function objectColumns(): readonly { entity: object; column: string }[] {
  return columns;
}
