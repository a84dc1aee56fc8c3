import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

/** A customer. It is outside every caller's scope, so it is not an entity of the store. */
@Entity('organizations')
export class Organization {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Whether members whose role manages keys, members or roles need a second factor. */
  @Column('boolean', { default: false })
  requires_second_factor: boolean;

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
