import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../kit/index.js';
import { ApiKey } from './api-key.entity.js';

/** One secret of a key. Expired ones are kept, so that their users get the error that the key was rolled. */
@Entity('api_key_secrets')
@Index('api_key_secrets_current_idx', ['api_key_id'], {
  unique: true,
  where: 'expires_at IS NULL',
})
@Index('api_key_secrets_api_key_id_idx', ['api_key_id'])
export class ApiKeySecret {
  /** SHA-256 of the secret. */
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('uuid')
  @ForeignKey(() => ApiKey, {
    name: 'api_key_secrets_api_key_fkey',
    onDelete: 'CASCADE',
  })
  api_key_id: string;

  /** Null for the current secret; set when a roll replaces it. */
  @TimeColumn({ nullable: true })
  expires_at: Date | null;

  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  created_at: Date;
}
