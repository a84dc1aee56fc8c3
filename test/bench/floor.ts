import 'reflect-metadata';
import { Body, Controller, Get, Headers, Module, Param, Post } from '@nestjs/common';
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
import { transactOnce } from './floor-keys.js';

/**
 * The floor for tasks: the same frameworks with a table that has a task's columns, and nothing else: no API keys,
 * limits, validation, scoping, events or log. Of an Idempotency-Key it does what nobody can leave out.
 */
@Entity('floor_tasks')
@Index(['created_at', 'id'])
export class FloorTask {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column('uuid') organization_id: string;
  @Column('uuid') project_id: string;
  @Column('text', { default: 'live' }) mode: string;
  @Column('text', { default: 'ENG-1' }) key: string;
  @Column('text') title: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('uuid') status_id: string;
  @Column('text', { default: 'backlog' }) status_group: string;
  @Column('text') priority: string;
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  assignee_ids: string[];
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  label_ids: string[];
  @Column('uuid', { nullable: true }) parent_id: string | null;
  @Column('date', { nullable: true }) start_on: string | null;
  @Column('date', { nullable: true }) due_on: string | null;
  @Column('double precision', { default: 0 }) position: number;
  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
  })
  completed_at: Date | null;
  @Column('jsonb', { nullable: true }) created_by: Record<string, unknown> | null;
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

@Controller()
class FloorController {
  constructor(@InjectRepository(FloorTask) private readonly tasks: Repository<FloorTask>) {}

  @Get('health')
  health() {
    return { status: 'ok' };
  }

  @Get('tasks')
  list() {
    return this.tasks.find({ order: { created_at: 'DESC', id: 'DESC' }, take: 25 });
  }

  @Get('tasks/:id')
  get(@Param('id') id: string) {
    return this.tasks.findOneBy({ id });
  }

  @Post('tasks')
  create(@Body() body: DeepPartial<FloorTask>, @Headers('idempotency-key') key?: string) {
    const task = this.tasks.create(body);
    return key === undefined ? this.tasks.save(task) : transactOnce(this.tasks.manager, key, (manager) => manager.save(task));
  }
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

@Module({
  imports: [
    TypeOrmModule.forRoot({
      // uuidExtension: generates ids with gen_random_uuid(), which needs no extension
      type: 'postgres',
      url: DATABASE_URL,
      entities: [FloorTask],
      synchronize: true,
      uuidExtension: 'pgcrypto',
      installExtensions: false,
      extra: { max: Number(DATABASE_POOL_SIZE) },
    }),
    TypeOrmModule.forFeature([FloorTask]),
  ],
  controllers: [FloorController],
})
class FloorModule {}

const app = await NestFactory.create<NestFastifyApplication>(FloorModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), HOST as string);
