import { Check, Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { OrganizationEntity, TimeColumn, type Mode } from '../../kit/index.js';
import { Member } from '../people/model/member.entity.js';
import { Organization } from '../people/model/organization.entity.js';
import { Project } from '../people/model/project.entity.js';

export type KeyStatus = 'active' | 'inactive' | 'revoked';
export type KeyOrigin = 'console' | 'oauth' | 'cli';

/** The MCP client that uses a connection. */
export interface OAuthClientView {
  /** For a client with a metadata document, the document's URL. */
  id: string;
  /** The client's name for itself; null if it gave none. */
  name: string | null;
  /** Where the authorization redirected to: a host, or the URL scheme of an app. */
  redirect_host: string;
  /** Whether the id proves who operates the client. A name that it gave itself does not. */
  verified: boolean;
}

/** An API key. Its secrets are separate rows, because a roll adds one. Never deleted: the log must stay attributable. */
@Entity('api_keys')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'api_keys_organization_fkey' })
@ForeignKey(() => Project, ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'api_keys_project_fkey' })
@ForeignKey(() => Member, ['organization_id', 'actor_member_id'], ['organization_id', 'id'], { name: 'api_keys_actor_fkey' })
@ForeignKey(() => Member, ['organization_id', 'created_by'], ['organization_id', 'id'], { name: 'api_keys_created_by_fkey' })
@Check('api_keys_mode_check', `mode IN ('live', 'test')`)
@Check('api_keys_scopes_check', `cardinality(scopes) > 0`)
@Check('api_keys_rate_limit_per_minute_check', `rate_limit_per_minute > 0`)
@Check('api_keys_status_check', `status IN ('active', 'inactive', 'revoked')`)
@Check('api_keys_origin_check', `origin IN ('console', 'oauth', 'cli')`)
@Check('api_keys_oauth_client_check', `(origin = 'oauth') = (oauth_client IS NOT NULL)`)
@Check('api_keys_revoked_at_check', `(status = 'revoked') = (revoked_at IS NOT NULL)`)
@Index('api_keys_expires_at_idx', ['expires_at'], { where: `status = 'active'` })
@Index('api_keys_connections_idx', ['organization_id', 'created_at', 'id'], { where: `origin = 'oauth' AND status <> 'revoked'` })
@Index('api_keys_created_at_idx', ['organization_id', 'created_at', 'id'])
export class ApiKey extends OrganizationEntity {
  @Column('text')
  name: string;

  @Column('text')
  module: string;

  @Column('text')
  mode: Mode;

  @Column('text', { array: true })
  scopes: string[];

  /** The pin; null for all projects of the organization. */
  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('uuid', { nullable: true })
  actor_member_id: string | null;

  /** Canonical CIDRs; empty allows every address. */
  @Column('text', {
    array: true,
    default: [],
  })
  allowed_ips: string[];

  @Column('integer', { nullable: true })
  rate_limit_per_minute: number | null;

  /** Calls that delete or reach people must follow a plan. */
  @Column('boolean', { default: false })
  requires_plan: boolean;

  @TimeColumn({ nullable: true })
  expires_at: Date | null;

  /** Written by the request log without a new `version`. */
  @TimeColumn({ nullable: true })
  last_used_at: Date | null;

  @Column('text', { default: 'active' })
  status: KeyStatus;

  @Column('text')
  origin: KeyOrigin;

  /** Of a connection (`origin` oauth) only. */
  @Column('jsonb', { nullable: true })
  oauth_client: OAuthClientView | null;

  /** Of the member it acts for; null for none. */
  @VirtualColumn({
    type: 'text',
    query: (key) => `SELECT m.status FROM members m WHERE m.id = ${key}.actor_member_id`,
  })
  actor_status: Member['status'] | null;

  @Column('text')
  prefix: string;

  @Column('text')
  last_four: string;

  @Column('uuid', { nullable: true })
  created_by: string | null;

  @TimeColumn({ nullable: true })
  revoked_at: Date | null;
}
