import { Column, CreateDateColumn, PrimaryColumn, UpdateDateColumn, VersionColumn } from 'typeorm';
import type { Mode } from './ctx.js';

/**
 * Which of the caller's facts narrow every read and write of an entity:
 * - `business`: organisation, mode and, for a pinned key, the project. Has `organization_id`, `project_id`, `mode`.
 * - `configuration`: organisation and, for a pinned key, the project or none. Shared by both modes; read-only for keys.
 * - `organization`: organisation only; for the product plane's own records.
 */
export type Scoping = 'business' | 'configuration' | 'organization';

const scopings = new WeakMap<object, Scoping>();

/** Names an entity's scoping; the store refuses an entity without one, so no query can forget it. */
export function Scoped(scoping: Scoping): ClassDecorator {
  return (target) => void scopings.set(target, scoping);
}

export function scopingOf(entity: object): Scoping | undefined {
  for (let target: object | null = entity; target; target = Object.getPrototypeOf(target) as object | null) {
    const scoping = scopings.get(target);
    if (scoping) return scoping;
  }
  return undefined;
}

/** What every stored resource has. Properties carry their columns' and JSON members' names: one datum, one name. */
export abstract class BaseEntity {
  /** UUID v7, made by the store. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organization_id: string;

  /** Counts changes from 1; the `ETag`. */
  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  created_at: Date;

  @UpdateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  updated_at: Date;
}

/** A row of the business itself (a task, a deal): belongs to a project and to one mode. */
@Scoped('business')
export abstract class BusinessEntity extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  mode: Mode;
}

/** Configuration that both modes share (statuses, labels): `project_id` null means the whole organisation. */
@Scoped('configuration')
export abstract class ConfigurationEntity extends BaseEntity {
  @Column('uuid', { nullable: true })
  project_id: string | null;
}

/** A record of the organisation itself (an API key, a member). */
@Scoped('organization')
export abstract class OrganizationEntity extends BaseEntity {}
