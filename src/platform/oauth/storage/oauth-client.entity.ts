import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../kit/index.js';

/** A client that registered itself. Clients with a metadata document are not stored. */
@Entity('oauth_clients')
@Index('oauth_clients_expires_at_idx', ['expires_at'])
export class OAuthClient {
  @PrimaryColumn('text')
  id: string;

  /** RFC 7591, without the secret. */
  @Column('jsonb')
  metadata: Record<string, unknown>;

  /** Encrypted, because the library compares the secret itself; null for a public client. */
  @Column('bytea', { nullable: true })
  secret: Buffer | null;

  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  created_at: Date;

  /** Soon for a client that was never authorized, and postponed by each token. */
  @TimeColumn()
  expires_at: Date;
}
