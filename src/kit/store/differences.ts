import type { Type } from '@nestjs/common';
import { Column } from 'typeorm';
import type { Decimal } from '../values/decimals.js';
import { BusinessEntity, TimeColumn } from './entities.js';
import type { Tx } from './store.js';

/**
 * A stored figure that a scheduled comparison found to differ from what it is made of, see `keepDifferences`.
 *
 * @example
 * ```ts
 * import { Entity } from 'typeorm';
 * import { DifferenceEntity } from 'work-suite/kit';
 *
 * @Entity('fleet_differences')
 * export class FleetDifference extends DifferenceEntity {}
 * ```
 */
export abstract class DifferenceEntity extends BusinessEntity {
  /** The kind of figure. */
  @Column('text')
  subject: string;

  /** The row that has the figure. */
  @Column('uuid')
  subject_id: string;

  @Column('numeric')
  stored: Decimal;

  @Column('numeric')
  computed: Decimal;

  /** When a later comparison no longer found it. */
  @TimeColumn({ nullable: true })
  resolved_at: Date | null;
}

/**
 * Records what a comparison found in a project: new differences are added and returned, known ones take the figures, and those that were
 * not found again are resolved, unless the comparison stopped at `most`.
 *
 * @example
 * ```ts
 * import { Entity } from 'typeorm';
 * import { DifferenceEntity, keepDifferences, type Tx } from 'work-suite/kit';
 *
 * @Entity('fleet_differences')
 * class FleetDifference extends DifferenceEntity {}
 *
 * export function note(tx: Tx, projectId: string, vehicleId: string) {
 *   const found = [{ subject: 'mileage', subject_id: vehicleId, stored: '120', computed: '118.5' }];
 *   return keepDifferences(tx, FleetDifference, { projectId, found, most: 100 });
 * }
 * ```
 */
export async function keepDifferences<E extends DifferenceEntity, F extends Pick<E, 'subject' | 'subject_id' | 'stored' | 'computed'>>(
  tx: Tx,
  entity: Type<E>,
  { projectId, found, most }: { projectId: string; found: readonly F[]; most: number },
): Promise<F[]> {
  const known = await tx.list<DifferenceEntity>(entity, { project_id: projectId, resolved_at: null });
  const keyOf = ({ subject, subject_id }: Pick<DifferenceEntity, 'subject' | 'subject_id'>) => `${subject} ${subject_id}`;
  const open = new Map(known.map((row) => [keyOf(row), row]));
  const added: F[] = [];
  for (const one of found) {
    const row = open.get(keyOf(one));
    open.delete(keyOf(one));
    if (row) await tx.update(row, { stored: one.stored, computed: one.computed });
    else {
      await tx.insert<DifferenceEntity>(entity, { ...one, project_id: projectId, resolved_at: null });
      added.push(one);
    }
  }
  if (found.length < most) for (const gone of open.values()) await tx.update(gone, { resolved_at: tx.startedAt });
  return added;
}
