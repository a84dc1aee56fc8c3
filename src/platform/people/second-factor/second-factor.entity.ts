import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Member } from '../model/member.entity.js';

/**
 * The secret of a member's authenticator app. It takes effect once `members.second_factor_at` is set. Read at the sign-in, before the
 * caller is known, so it is not an entity of the store.
 */
@Entity('second_factors')
@ForeignKey(() => Member, ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'second_factors_member_fkey' })
export class SecondFactor {
  @PrimaryColumn('uuid')
  member_id: string;

  @Column('uuid')
  organization_id: string;

  /** Encrypted by SecretBox. */
  @Column('bytea')
  secret: Buffer;

  /** The 30-second step of the last code that was accepted: no code is accepted twice. */
  @Column('bigint', { default: 0 })
  last_step: string;

  /** HMACs of the recovery codes that are left. */
  @Column('bytea', {
    array: true,
    default: () => `'{}'`,
  })
  recovery_hashes: Buffer[];

  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  created_at: Date;
}
