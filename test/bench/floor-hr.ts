import 'reflect-metadata';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, Not, PrimaryColumn, Repository } from 'typeorm';

/**
 * The floor for people: the same frameworks on the product's tables, and nothing else. There are no keys, limits, validation or modes.
 * The chart is one recursive query.
 */
@Entity('hr_employees')
class FloorEmployee {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') organization_id: string;
  @Column('uuid') project_id: string;
  @Column('text') mode: string;
  @Column('text') number: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) work_email: string | null;
  @Column('text', { nullable: true }) work_phone: string | null;
  @Column('uuid', { nullable: true }) department_id: string | null;
  @Column('text', { nullable: true }) position: string | null;
  @Column('uuid', { nullable: true }) manager_id: string | null;
  @Column('uuid', { nullable: true }) member_id: string | null;
  @Column('text') status: string;
  @Column('text') employment_type: string;
  @Column('date') hired_on: string;
  @Column('date', { nullable: true }) left_on: string | null;
  @Column('jsonb') created_by: object;
  @Column('integer') version: number;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

const CHART = `
  WITH RECURSIVE chart AS (
    SELECT id, name, position, department_id, manager_id, status, 1 AS level FROM hr_employees WHERE id = $1
    UNION ALL SELECT e.id, e.name, e.position, e.department_id, e.manager_id, e.status, c.level + 1
    FROM chart c JOIN hr_employees e ON e.manager_id = c.id WHERE c.level < 3 AND e.status <> 'left')
  SELECT * FROM chart LIMIT 500`;

@Controller()
class FloorController {
  constructor(
    @InjectRepository(FloorEmployee) private readonly employees: Repository<FloorEmployee>,
    @InjectDataSource() private readonly database: DataSource,
  ) {}

  @Get('health')
  health() {
    return { status: 'ok' };
  }

  @Get('employees')
  async list(@Query('organization_id') organization_id: string) {
    const where = { organization_id, mode: 'live', status: Not('left') };
    return { object: 'list', data: await this.employees.find({ where, order: { name: 'ASC', id: 'ASC' }, take: 25 }) };
  }

  @Get('org-chart')
  async chart(@Query('root_id') rootId: string) {
    return { object: 'org_chart', nodes: await this.database.query<object[]>(CHART, [rootId]) };
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, entities: [FloorEmployee], extra: { max: Number(DATABASE_POOL_SIZE) } }),
    TypeOrmModule.forFeature([FloorEmployee]),
  ],
  controllers: [FloorController],
})
class FloorModule {}

const app = await NestFactory.create<NestFastifyApplication>(FloorModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), HOST as string);
