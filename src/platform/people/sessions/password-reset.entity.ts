import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../kit/index.js';
import { Member } from '../model/member.entity.js';

/** A mailed link that sets a new password once. It is read before the caller is known, so it is not an entity of the store. */
@Entity('password_resets')
@ForeignKey(() => Member, ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'password_resets_member_fkey' })
@Index('password_resets_member_id_idx', ['member_id'])
@Index('password_resets_expires_at_idx', ['expires_at'])
export class PasswordReset {
  @PrimaryColumn('text')
  token_hash: string;

  @Column('uuid')
  organization_id: string;

  @Column('uuid')
  member_id: string;

  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  created_at: Date;

  @TimeColumn()
  expires_at: Date;
}
