import { Column, Entity, Index } from 'typeorm';
import { OrganizationEntity, type Mode } from '../../kit/index.js';

/** One request. Written in bulk by RequestLog, never changed; its version is always 1. */
@Entity('request_logs')
@Index('request_logs_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('request_logs_api_key_idx', ['organization_id', 'api_key_id', 'created_at', 'id'])
@Index('request_logs_operation_idx', ['organization_id', 'operation', 'created_at', 'id'])
@Index('request_logs_request_id_idx', ['request_id'])
@Index('request_logs_failed_idx', ['organization_id', 'created_at', 'id'], { where: 'status >= 400' })
export class RequestLogRow extends OrganizationEntity {
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

  /** The template, `/api/v1/ext/tasks/tasks/{id}`; null for a path that is no route. */
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
}

// Null in the table for callers nobody recognised; those rows are no organisation's to read, so no reader meets the null.
Column('uuid', { nullable: true })(RequestLogRow.prototype, 'organization_id');
