import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Scoped, type Mode } from '../../kit/index.js';

/**
 * One request. Written in batches by RequestLog and never changed. It has the structure of the kit's OrganizationEntity without
 * being one: the organization is null for unrecognized callers, whose rows no organization can read.
 */
@Entity('request_logs')
@Scoped('organization')
@Index('request_logs_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('request_logs_api_key_idx', ['organization_id', 'api_key_id', 'created_at', 'id'])
@Index('request_logs_operation_idx', ['organization_id', 'operation', 'created_at', 'id'])
@Index('request_logs_request_id_idx', ['request_id'])
@Index('request_logs_tool_idx', ['organization_id', 'tool', 'created_at', 'id'], { where: 'tool IS NOT NULL' })
@Index('request_logs_failed_idx', ['organization_id', 'created_at', 'id'], { where: 'status >= 400' })
@Index('request_logs_failed_status_idx', ['organization_id', 'status', 'created_at', 'id'], { where: 'status >= 400' })
@Index('request_logs_failed_code_idx', ['organization_id', 'code', 'created_at', 'id'], { where: 'status >= 400' })
export class RequestLogRow {
  /** UUID v7, made by RequestLog. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { nullable: true })
  organization_id: string;

  get version(): number {
    return 1;
  }

  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('text', { nullable: true })
  mode: Mode | null;

  @Column('uuid', { nullable: true })
  api_key_id: string | null;

  @Column('uuid', { nullable: true })
  member_id: string | null;

  @Column('text')
  plane: string;

  @Column('text')
  method: string;

  /** The template, `/api/v1/ext/tasks/tasks/{id}`; null if no route matches. */
  @Column('text', { nullable: true })
  route: string | null;

  @Column('text', { nullable: true })
  operation: string | null;

  @Column('text', { nullable: true })
  tool: string | null;

  @Column('text')
  via: string;

  @Column('smallint')
  status: number;

  @Column('text', { nullable: true })
  code: string | null;

  @Column('real')
  latency_ms: number;

  @Column('text')
  address: string;

  @Column('text')
  request_id: string;

  @Column('boolean', { default: false })
  idempotent_replay: boolean;

  @Column('text', { nullable: true })
  user_agent: string | null;

  /** When the response was sent. */
  @Column({ type: 'timestamptz', precision: 3 })
  created_at: Date;

  /** Equal to created_at: every list filters by it. */
  @Column({ type: 'timestamptz', precision: 3 })
  updated_at: Date;
}
