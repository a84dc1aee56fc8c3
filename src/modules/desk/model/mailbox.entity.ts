import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Scoped, type Mode } from '../../../kit/index.js';
import { Configured } from './configured.entity.js';
import { DeskQueue } from './queue.entity.js';

/** An address whose mails the organization's mail gateway posts, with a token. Mails of a test mailbox become test tickets. */
@Scoped('configuration')
@Entity('desk_mailboxes')
@Unique('desk_mailboxes_reference_key', ['organization_id', 'project_id', 'id'])
@Unique('desk_mailboxes_token_hash_key', ['token_hash'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_mailboxes_project_id_fkey' })
@ForeignKey(() => DeskQueue, ['organization_id', 'project_id', 'queue_id'], ['organization_id', 'project_id', 'id'], {
  name: 'desk_mailboxes_queue_id_fkey',
})
@Index('desk_mailboxes_address_key', { synchronize: false })
@Index('desk_mailboxes_address_idx', ['organization_id', 'address', 'id', 'project_id'])
@Index('desk_mailboxes_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Index('desk_mailboxes_queue_id_idx', ['queue_id'])
@Check('desk_mailboxes_project_id_check', 'project_id IS NOT NULL')
@Check('desk_mailboxes_address_check', 'length(address) BETWEEN 3 AND 254')
@Check('desk_mailboxes_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('desk_mailboxes_keep_raw_days_check', 'keep_raw_days BETWEEN 1 AND 365')
@Check('desk_mailboxes_authentication_server_check', 'length(authentication_server) BETWEEN 1 AND 253')
@Check('desk_mailboxes_mode_check', `mode IN ('live', 'test')`)
export class DeskMailbox extends Configured {
  /** In lower case. */
  @Column('text')
  address: string;

  /** The sender name of replies. */
  @Column('text', { nullable: true })
  name: string | null;

  @Column('uuid')
  queue_id: string;

  /** That of the tickets which its mails become; the row itself is shared by both modes. */
  @Column('text')
  mode: Mode;

  /** The token itself is shown once. */
  @Column('text')
  token_hash: string;

  /** Domains whose automatic mails and lists open tickets too, such as those of a monitoring system. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  trusted_domains: string[];

  /** Whether a new ticket's requester gets a mail with its number. */
  @Column('boolean', { default: true })
  acknowledge: boolean;

  /** How long mails that became no ticket are kept as they were received. */
  @Column('integer', { default: 90 })
  keep_raw_days: number;

  /** The name of the mail server whose Authentication-Results are trusted; members' answers by mail are relayed only with its word. */
  @Column('text', { nullable: true })
  authentication_server: string | null;

  @Column('boolean', { default: true })
  active: boolean;
}
