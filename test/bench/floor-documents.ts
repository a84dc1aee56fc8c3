import 'reflect-metadata';
import { Body, Controller, Get, Headers, HttpCode, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  CreateDateColumn,
  Entity,
  EntityManager,
  In,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  UpdateDateColumn,
  VersionColumn,
  type DeepPartial,
} from 'typeorm';
import { transactOnce } from './floor-keys.js';

/**
 * The floor for documents: the same frameworks with a table that has a document's columns, and nothing else: no types,
 * validation, numbering, API keys, limits, events, audit trail, approvals or mail. A move is a read and an update. The routes `submitted`
 * and `recorded` read and write the other rows, too.
 */
@Entity('floor_documents')
@Index(['created_at', 'id'])
export class FloorDocument {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column('uuid') organization_id: string;
  @Column('uuid') project_id: string;
  @Column('text', { default: 'live' }) mode: string;
  @Column('uuid') type_id: string;
  @Column('text') type_code: string;
  @Column('integer', { default: 1 }) type_version: number;
  @Column('text', { default: 'ORDER-00001' }) number: string;
  @Column('text') title: string;
  @Column('text', { default: 'draft' }) state: string;
  @Column('text', { default: 'draft' }) lifecycle_stage: string;
  @Column('jsonb') data_values: object;
  @Column('text', {
    array: true,
    default: '{}',
  })
  missing_required_fields: string[];
  @Column('jsonb', { nullable: true }) source_ref: object | null;
  @Column('text', { default: 'pending' }) approval_outcome: string;
  @Column('integer', { default: 0 }) approval_round: number;
  @Column('integer', { nullable: true }) approval_step: number | null;
  @Column('uuid', { nullable: true }) submitted_by: string | null;
  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  signing_deadline_at: Date | null;
  @Column('text', { nullable: true }) content_sha256: string | null;
  @Column('date', { nullable: true }) valid_until_on: string | null;
  @Column('uuid', { nullable: true }) supersedes_id: string | null;
  @Column('integer', { default: 1 }) revision: number;
  @Column('jsonb', { nullable: true }) created_by: object | null;
  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  finalized_at: Date | null;
  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  executed_at: Date | null;
  @VersionColumn({
    type: 'integer',
    default: 1,
  })
  version: number;
  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
  })
  created_at: Date;
  @UpdateDateColumn({
    type: 'timestamptz',
    precision: 3,
  })
  updated_at: Date;
}

/** The columns of a request for a decision. */
@Entity('floor_requests')
@Index(['document_id', 'round', 'step_index', 'id'])
export class FloorRequest {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column('uuid') document_id: string;
  @Column('integer', { default: 1 }) round: number;
  @Column('integer', { default: 1 }) step_index: number;
  @Column('text', { default: 'Approval' }) step_name: string;
  @Column('text', { default: 'any' }) step_mode: string;
  @Column('text', { default: 'unrouted' }) routing: string;
  @Column('uuid', { nullable: true }) approver_id: string | null;
  @Column('text', { default: 'pending' }) decision: string;
  @Column('text', { nullable: true }) comment: string | null;
  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  due_at: Date | null;
  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  decided_at: Date | null;
  @Column('jsonb', { nullable: true }) decided_by: object | null;
  @VersionColumn({
    type: 'integer',
    default: 1,
  })
  version: number;
  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
  })
  created_at: Date;
  @UpdateDateColumn({
    type: 'timestamptz',
    precision: 3,
  })
  updated_at: Date;
}

/** A row of the audit trail. */
@Entity('floor_audit_entries')
@Index(['document_id', 'created_at', 'id'])
export class FloorAuditEntry {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column('uuid') document_id: string;
  @Column('text') action: string;
  @Column('jsonb') actor: object;
  @Column('text', { nullable: true }) from_state: string | null;
  @Column('text', { nullable: true }) to_state: string | null;
  @Column('jsonb', { default: {} }) detail: object;
  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
  })
  created_at: Date;
}

/** An event with its JSON body. */
@Entity('floor_events')
@Index(['organization_id', 'created_at', 'id'])
export class FloorEvent {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column('uuid') organization_id: string;
  @Column('text') type: string;
  @Column('text') body: string;
  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
  })
  created_at: Date;
}

const ACTOR: object = { type: 'system', id: null, email: null };

@Controller()
class FloorController {
  constructor(
    @InjectRepository(FloorDocument) private readonly documents: Repository<FloorDocument>,
    @InjectRepository(FloorRequest) private readonly requests: Repository<FloorRequest>,
  ) {}

  @Get('health')
  health() {
    return { status: 'ok' };
  }

  @Get('documents')
  list() {
    return this.documents.find({ order: { created_at: 'DESC', id: 'DESC' }, take: 25 });
  }

  @Get('documents/:id')
  get(@Param('id') id: string) {
    return this.documents.findOneBy({ id });
  }

  @Post('documents')
  create(@Body() body: DeepPartial<FloorDocument>, @Headers('idempotency-key') key?: string) {
    const document = this.documents.create(body);
    return key === undefined ? this.documents.save(document) : this.once(key, (manager) => manager.save(document));
  }

  @Post('documents/:id/move')
  @HttpCode(200)
  async move(@Param('id') id: string, @Headers('idempotency-key') key?: string) {
    const document = await this.documents.findOneByOrFail({ id });
    // changes a value each time, so that there is something to write
    Object.assign(document, { state: 'in_approval', approval_round: document.approval_round + 1 });
    return key === undefined ? this.documents.save(document) : this.once(key, (manager) => manager.save(document));
  }

  // below: the rows that the product reads and writes for the same calls, without its rules

  @Get('submitted')
  async listSubmitted() {
    const documents = await this.documents.find({ order: { created_at: 'DESC', id: 'DESC' }, take: 25 });
    const requests = await this.requests.find({ where: { document_id: In(documents.map(({ id }) => id)) } });
    return documents.map((document) => ({ ...document, requests: requests.filter(({ document_id }) => document_id === document.id) }));
  }

  @Get('submitted/:id')
  async getSubmitted(@Param('id') id: string) {
    const [document, requests] = await Promise.all([this.documents.findOneBy({ id }), this.requests.findBy({ document_id: id })]);
    return { ...document, requests };
  }

  /** The document, its audit entry and its event. */
  @Post('recorded')
  createRecorded(@Body() body: DeepPartial<FloorDocument>, @Headers('idempotency-key') key?: string) {
    return this.transact(key, async (manager) => {
      const document = manager.create(FloorDocument, body);
      await manager.insert(FloorDocument, document);
      await record(manager, document, 'create', null, 'draft');
      return document;
    });
  }

  /** The request, the document, the audit entry and the event. */
  @Post('recorded/:id/decide')
  @HttpCode(200)
  decideRecorded(@Param('id') id: string, @Headers('idempotency-key') key?: string) {
    return this.transact(key, async (manager) => {
      const document = await manager.findOneOrFail(FloorDocument, { where: { id }, lock: { mode: 'pessimistic_write' } });
      const request = await manager.findOneByOrFail(FloorRequest, { document_id: id });
      const decided = { decision: 'approved', decided_at: new Date(), decided_by: ACTOR, comment: `round ${document.version}` };
      await manager.update(FloorRequest, { id: request.id, version: request.version }, decided);
      const changes = { state: 'approved', approval_round: document.approval_round + 1 };
      await manager.update(FloorDocument, { id, version: document.version }, changes);
      const moved = { ...document, ...changes, requests: [{ ...request, ...decided }] };
      await record(manager, moved, 'approve', 'in_approval', 'approved');
      return moved;
    });
  }

  private transact<T>(key: string | undefined, write: (manager: EntityManager) => Promise<T>): Promise<T> {
    return key === undefined ? this.documents.manager.transaction(write) : this.once(key, write);
  }

  private once<T>(key: string, write: (manager: EntityManager) => Promise<T>): Promise<T> {
    return transactOnce(this.documents.manager, key, write);
  }
}

async function record(manager: EntityManager, document: FloorDocument, action: string, from: string | null, to: string): Promise<void> {
  const { id, organization_id } = document;
  await manager.insert(FloorAuditEntry, { document_id: id, action, actor: ACTOR, from_state: from, to_state: to });
  const body = JSON.stringify({ object: 'event', type: action, actor: ACTOR, data: { object: document } });
  await manager.insert(FloorEvent, { organization_id, type: action, body });
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

@Module({
  imports: [
    TypeOrmModule.forRoot({
      // uuidExtension: generates ids with gen_random_uuid(), which needs no extension
      type: 'postgres',
      url: DATABASE_URL,
      entities: [FloorDocument, FloorRequest, FloorAuditEntry, FloorEvent],
      synchronize: true,
      uuidExtension: 'pgcrypto',
      installExtensions: false,
      extra: { max: Number(DATABASE_POOL_SIZE) },
    }),
    TypeOrmModule.forFeature([FloorDocument, FloorRequest]),
  ],
  controllers: [FloorController],
})
class FloorModule {}

const app = await NestFactory.create<NestFastifyApplication>(FloorModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), HOST as string);
