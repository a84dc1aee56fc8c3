import 'reflect-metadata';
import { Body, Controller, Get, Headers, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, PrimaryColumn, Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { writeOnce } from './floor-keys.js';

/**
 * The floor for the service desk: the same frameworks on the product's tables, and nothing else. Tickets are read through a repository's
 * query builder; a new one is written in one round trip by `desk-sql.ts`. There are no API keys, limits or validation.
 */
@Entity('desk_tickets')
class FloorTicket {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') organization_id: string;
  @Column('uuid') project_id: string;
  @Column('text') mode: string;
  @Column('text') number: string;
  @Column('text') subject: string;
  @Column('text') requester_email: string;
  @Column('text', { nullable: true }) requester_name: string | null;
  @Column('uuid', { nullable: true }) contact_id: string | null;
  @Column('text', { array: true }) cc_emails: string[];
  @Column('uuid') queue_id: string;
  @Column('uuid', { nullable: true }) assignee_id: string | null;
  @Column('uuid') status_id: string;
  @Column('text') status_category: string;
  @Column('integer') priority: number;
  @Column('text', { array: true }) tags: string[];
  @Column('text') channel: string;
  @Column('timestamptz', { nullable: true }) snoozed_until_at: Date | null;
  @Column('text', { nullable: true }) external_id: string | null;
  @Column('jsonb') clocks: object;
  @Column('timestamptz', { nullable: true }) sla_due_at: Date | null;
  @Column('uuid', { nullable: true }) follow_up_of_id: string | null;
  @Column('uuid', { nullable: true }) merged_into_id: string | null;
  @Column('integer', { nullable: true }) satisfaction_score: number | null;
  @Column('text', { nullable: true }) satisfaction_comment: string | null;
  @Column('timestamptz', { nullable: true }) solved_at: Date | null;
  @Column('timestamptz', { nullable: true }) closed_at: Date | null;
  @Column('jsonb') created_by: object;
  @Column('integer') version: number;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
}

interface NewTicket {
  project_id: string;
  subject: string;
  requester: { email: string };
  message: string;
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

@Controller()
class FloorController {
  constructor(
    @InjectRepository(FloorTicket) private readonly tickets: Repository<FloorTicket>,
    @InjectDataSource() private readonly database: DataSource,
  ) {}

  @Get('health')
  health() {
    return { status: 'ok' };
  }

  /** What is left to do of an organization, the earliest due first. */
  @Get('tickets/:organization')
  async list(@Param('organization') organization: string) {
    const data = await this.tickets
      .createQueryBuilder('t')
      .where(`t.organization_id = :organization AND t.mode = 'live'`, { organization })
      .andWhere(`t.status_category IN ('new', 'open', 'pending', 'on_hold')`)
      .orderBy(`COALESCE(t.sla_due_at, 'infinity')`)
      .addOrderBy('t.id')
      .limit(25)
      .getMany();
    return { object: 'list', data };
  }

  @Post('tickets')
  async create(@Body() { project_id, subject, requester: { email }, message }: NewTicket, @Headers('idempotency-key') key?: string) {
    const ticket = { object: 'ticket', id: uuidv7(), project_id, subject, email, message };
    const event_id = uuidv7();
    const event = JSON.stringify({ id: event_id, object: 'event', type: 'ticket.created', data: { object: ticket } }).slice(1);
    const write = {
      name: 'create',
      text: 'SELECT FROM bare_create_ticket($1)',
      values: [JSON.stringify({ ...ticket, message_id: uuidv7(), event_id, event })],
      response: ticket,
    };
    return writeOnce(({ text, values }) => this.database.query<object[]>(text, values), write, key);
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, entities: [FloorTicket], extra: { max: Number(DATABASE_POOL_SIZE) } }),
    TypeOrmModule.forFeature([FloorTicket]),
  ],
  controllers: [FloorController],
})
class FloorModule {}

const app = await NestFactory.create<NestFastifyApplication>(FloorModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), HOST as string);
