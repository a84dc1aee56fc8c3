import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { OrganizationEntity, TimeColumn } from '../../../kit/index.js';
import { Member } from '../model/member.entity.js';

/** A session. `updated_at` is when it was last used, to within five minutes. */
@Entity('sessions')
@ForeignKey(() => Member, ['organization_id', 'member_id'], ['organization_id', 'id'], { name: 'sessions_member_fkey' })
@Unique('sessions_token_hash_key', ['token_hash'])
@Index('sessions_member_id_idx', ['member_id'])
@Index('sessions_expires_at_idx', ['expires_at'])
export class Session extends OrganizationEntity {
  /** HMAC of the cookie's token with SESSION_SECRET: reading or writing the table is not enough to obtain a session. */
  @Column('bytea', { select: false })
  token_hash: Buffer;

  @Column('uuid')
  member_id: string;

  /** When the member last gave their password: at the sign-in or later. */
  @TimeColumn()
  confirmed_at: Date;

  /** Where the member signed in from; null for sessions from before this was stored. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  user_agent: string | null;

  @TimeColumn()
  expires_at: Date;
}
