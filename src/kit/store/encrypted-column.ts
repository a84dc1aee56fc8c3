import { Column, type ColumnOptions } from 'typeorm';

const columns: { entity: object; column: string }[] = [];

/**
 * A text column that contains what `Settings.encrypt` returned. `work-suite secrets rotate` encrypts such columns again when the
 * encryption key is replaced; a ciphertext in another column could not be read afterwards.
 *
 * @example
 * ```ts
 * import { Entity } from 'typeorm';
 * import { BusinessEntity, EncryptedColumn } from 'work-suite/kit';
 *
 * @Entity('fleet_trackers')
 * export class Tracker extends BusinessEntity {
 *   @EncryptedColumn({ nullable: true })
 *   sealed_password: string | null;
 * }
 * ```
 */
export function EncryptedColumn(options: Pick<ColumnOptions, 'nullable' | 'select'> = {}): PropertyDecorator {
  return (target, property) => {
    columns.push({ entity: target.constructor, column: String(property) });
    Column('text', options)(target, property);
  };
}

/** All encrypted columns. */
export function allEncryptedColumns(): readonly { entity: object; column: string }[] {
  return columns;
}

/** The names of an entity's encrypted columns. */
export function encryptedColumnsOf(entity: object): string[] {
  return columns.flatMap(({ entity: other, column }) => (other === entity ? [column] : []));
}
