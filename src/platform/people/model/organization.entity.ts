import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

/** A customer. It is outside every caller's scope, so it is not an entity of the store. */
@Entity('organizations')
@Check('organizations_kept_bodies_check', `kept_bodies IN ('none', 'test', 'errors')`)
export class Organization {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Whether members whose role manages keys, members or roles need a second factor. */
  @Column('boolean', { default: false })
  requires_second_factor: boolean;

  /** Which bodies of requests the log keeps: those of test calls, or also those of live calls that fail. */
  @Column('text', { default: 'errors' })
  kept_bodies: 'none' | 'test' | 'errors';

  @VersionColumn({
    type: 'integer',
    default: 1,
  })
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
