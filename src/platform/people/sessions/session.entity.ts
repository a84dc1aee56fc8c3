import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Member } from '../model/member.entity.js';

/** A session. It is read before the caller is known, so it is not an entity of the store. */
@Entity('sessions')
@ForeignKey(() => Member, ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'sessions_member_fkey' })
@Index('sessions_member_id_idx', ['member_id'])
@Index('sessions_expires_at_idx', ['expires_at'])
export class Session {
  /** HMAC of the cookie's token with SESSION_SECRET: reading or writing the table is not enough to obtain a session. */
  @PrimaryColumn('bytea')
  token_hash: Buffer;

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

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at: Date;
}
