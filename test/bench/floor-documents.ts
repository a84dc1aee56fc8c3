import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  UpdateDateColumn,
  VersionColumn,
  type DeepPartial,
} from 'typeorm';

/**
 * The floor for documents: the same frameworks with a table that has a document's columns, and nothing else: no types,
 * validation, numbering, keys, limits, events, audit trail, approvals or mail. A move is a read and an update.
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
  @Column('jsonb') data_values: Record<string, unknown>;
  @Column('text', { array: true, default: '{}' }) missing_required_fields: string[];
  @Column('jsonb', { nullable: true }) source_ref: unknown;
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
  @Column('jsonb', { nullable: true }) created_by: Record<string, unknown> | null;
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
  @VersionColumn({ type: 'integer', default: 1 }) version: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}

@Controller()
class FloorController {
  constructor(@InjectRepository(FloorDocument) private readonly documents: Repository<FloorDocument>) {}

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
  create(@Body() body: DeepPartial<FloorDocument>) {
    return this.documents.save(this.documents.create(body));
  }

  @Post('documents/:id/move')
  @HttpCode(200)
  async move(@Param('id') id: string) {
    const document = await this.documents.findOneByOrFail({ id });
    // changes a value each time, so that there is something to write
    return this.documents.save(Object.assign(document, { state: 'in_approval', approval_round: document.approval_round + 1 }));
  }
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

@Module({
  imports: [
    TypeOrmModule.forRoot({
      // uuidExtension: generates ids with gen_random_uuid(), which needs no extension
      type: 'postgres',
      url: DATABASE_URL,
      entities: [FloorDocument],
      synchronize: true,
      uuidExtension: 'pgcrypto',
      installExtensions: false,
      extra: { max: Number(DATABASE_POOL_SIZE) },
    }),
    TypeOrmModule.forFeature([FloorDocument]),
  ],
  controllers: [FloorController],
})
class FloorModule {}

const app = await NestFactory.create<NestFastifyApplication>(FloorModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), HOST as string);
