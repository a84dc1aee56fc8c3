import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../kit/index.js';
import { ApiKey } from '../../keys/api-key.entity.js';

/** A code, token or authorization request, by the library's name for it (`model`), or what a member decided on a request. */
@Entity('oauth_records')
@Index('oauth_records_api_key_id_idx', ['api_key_id'])
@Index('oauth_records_expires_at_idx', ['expires_at'])
export class OAuthRecord {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_records_pkey' })
  model: string;

  /** SHA-256 of the code, token or id, which is not stored. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_records_pkey' })
  id: Buffer;

  /** The connection that the code or token belongs to. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => ApiKey, {
    name: 'oauth_records_api_key_fkey',
    onDelete: 'CASCADE',
  })
  api_key_id: string | null;

  @Column('jsonb')
  payload: Record<string, unknown>;

  @TimeColumn()
  expires_at: Date;

  /** When a code was exchanged or a refresh token used, for the first time, or when a request was answered. */
  @TimeColumn({ nullable: true })
  consumed_at: Date | null;
}
