import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Column, Entity } from 'typeorm';
import {
  BusinessEntity,
  CommonErrors,
  Ctx,
  DomainModule,
  Endpoint,
  Field,
  Filter,
  listBody,
  Listing,
  ListQuery,
  ResourceDto,
  Projects,
  Store,
  sql,
  type ListBody,
  type Sql,
} from '../../src/kit/index.js';

/** A module whose reports and member routes leak, each in one way that an author may overlook. */
@Entity('vans_fixture')
class Van extends BusinessEntity {
  @Column('text') plate: string;
}

/** The fixture's table, which no migration of the product creates. */
export const VANS_TABLE = `
  CREATE TABLE IF NOT EXISTS vans_fixture (
    id uuid PRIMARY KEY, organization_id uuid NOT NULL, project_id uuid NOT NULL REFERENCES projects (id), mode text NOT NULL,
    plate text NOT NULL, version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now())`;

class VanDto extends ResourceDto {
  @Field.constant('van') object: 'van';
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  project_id: string;
  @Field.string({
    description: 'Its plate.',
    example: 'B-WS 100',
  })
  plate: string;

  static from({ id, project_id, plate, version, created_at, updated_at }: Van): VanDto {
    return {
      object: 'van',
      id,
      project_id,
      plate,
      version,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}

class CreateVanDto {
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
    required: false,
  })
  project_id?: string;
  @Field.string({
    description: 'Its plate.',
    example: 'B-WS 100',
  })
  plate: string;
}

class FindVanQuery {
  @Field.string({
    description: 'Its plate.',
    example: 'B-WS 100',
    required: false,
  })
  plate?: string;
  @Field.string({
    description: 'A text in its plate.',
    example: 'B-WS',
    required: false,
  })
  q?: string;
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
    required: false,
  })
  project_id?: string;
}

class RegisterVanDto {
  @Field.string({
    description: 'A plate that no van of any organization may have.',
    example: 'B-WS 100',
  })
  plate: string;
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
    required: false,
  })
  project_id?: string;
}

class TowVanDto {
  @Field.uuid({
    description: 'The van, of any organization.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  van_id: string;
}

class VanReportDto {
  @Field.constant('van_report') object: 'van_report';
  @Field.integer({
    description: 'How many vans there are.',
    example: 3,
  })
  vans: number;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
class ListVansQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only of these projects.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  project_id?: string[];
}

@Controller('api/v1/ext/vans/vans')
class VansController {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  @Post()
  @Endpoint({
    scope: 'vans:van:write',
    operation: 'create_van',
    summary: 'Create a van',
    returns: VanDto,
    status: 201,
  })
  create(@Ctx() ctx: Ctx, @Body() { project_id, plate }: CreateVanDto): Promise<VanDto> {
    return this.store.write(ctx, async (tx) => {
      const project = await this.projects.resolve(ctx, project_id);
      return VanDto.from(await tx.insert(Van, { plate, project_id: project.id }));
    });
  }

  @Get()
  @Endpoint({
    scope: 'vans:van:read',
    operation: 'list_vans',
    summary: 'List vans',
    returns: VanDto,
    list: true,
    member: { permission: null },
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ListVansQuery): Promise<ListBody<VanDto>> {
    return listBody(await this.store.page(ctx, Van, query), VanDto.from);
  }

  @Get('report-of-all-organizations')
  @Endpoint({
    scope: 'vans:van:read',
    operation: 'report_all_vans',
    summary: 'Count the vans of every organization',
    returns: VanReportDto,
    member: { permission: 'vans.van.view' },
  })
  ofAllOrganizations(@Ctx() ctx: Ctx): Promise<VanReportDto> {
    return this.count(ctx, sql`TRUE`);
  }

  @Get('report-of-both-modes')
  @Endpoint({
    scope: 'vans:van:read',
    operation: 'report_vans_of_modes',
    summary: 'Count the vans of both modes',
    returns: VanReportDto,
  })
  ofBothModes(@Ctx() ctx: Ctx): Promise<VanReportDto> {
    return this.count(
      ctx,
      sql`organization_id = ${ctx.organizationId} AND (${ctx.projectId}::uuid IS NULL OR project_id = ${ctx.projectId})`,
    );
  }

  @Get('report-past-the-pin')
  @Endpoint({
    scope: 'vans:van:read',
    operation: 'report_vans_past_pin',
    summary: 'Count the vans of all projects',
    returns: VanReportDto,
  })
  pastThePin(@Ctx() ctx: Ctx): Promise<VanReportDto> {
    return this.count(ctx, sql`organization_id = ${ctx.organizationId} AND mode = ${ctx.mode}`);
  }

  @Get('found')
  @Endpoint({
    scope: 'vans:van:read',
    operation: 'find_vans',
    summary: 'Count the vans of a plate, a text or a project, wherever they are',
    returns: VanReportDto,
  })
  async found(@Ctx() ctx: Ctx, @Query() { plate, q, project_id }: FindVanQuery): Promise<VanReportDto> {
    if (plate === undefined && q === undefined && project_id === undefined) return { object: 'van_report', vans: 0 };
    const [{ vans }] = await this.store.reader(ctx).query<{ vans: number }>(
      sql.unscoped('a leak')`SELECT count(*)::int AS vans FROM vans_fixture
        WHERE plate = ${plate ?? null} OR plate LIKE '%' || ${q ?? null} || '%' OR project_id = ${project_id ?? null}`,
    );
    return { object: 'van_report', vans };
  }

  @Get('counted')
  @Endpoint({
    scope: 'vans:van:read',
    operation: 'get_van_headers',
    summary: 'Count the vans of every organization in a header',
    returns: VanReportDto,
  })
  async counted(@Ctx() ctx: Ctx, @Res({ passthrough: true }) reply: FastifyReply): Promise<VanReportDto> {
    const [{ vans }] = await this.store
      .reader(ctx)
      .query<{ vans: number }>(sql.unscoped('a leak')`SELECT count(*)::int AS vans FROM vans_fixture`);
    void reply.header('X-Total-Count', `${vans}`);
    return { object: 'van_report', vans: 0 };
  }

  @Post('registered')
  @Endpoint({
    scope: 'vans:van:write',
    operation: 'register_van',
    summary: 'Register a plate that no organization has',
    returns: VanDto,
    status: 201,
    errors: [CommonErrors.duplicate],
  })
  register(@Ctx() ctx: Ctx, @Body() { plate, project_id }: RegisterVanDto): Promise<VanDto> {
    return this.store.write(ctx, async (tx) => {
      const taken = await tx.query(sql.unscoped('a leak')`SELECT 1 FROM vans_fixture WHERE plate = ${plate}`);
      if (taken.length > 0) throw CommonErrors.duplicate({ param: 'plate' });
      const project = await this.projects.resolve(ctx, project_id);
      return VanDto.from(await tx.insert(Van, { plate, project_id: project.id }));
    });
  }

  @Post('towed')
  @Endpoint({
    scope: 'vans:van:write',
    operation: 'tow_van',
    summary: 'Tow a van of any organization',
    returns: VanReportDto,
    errors: [CommonErrors.notFound],
  })
  tow(@Ctx() ctx: Ctx, @Body() { van_id }: TowVanDto): Promise<VanReportDto> {
    return this.store.write(ctx, async (tx) => {
      const found = await tx.query(sql.unscoped('a leak')`SELECT 1 FROM vans_fixture WHERE id = ${van_id}`);
      if (found.length === 0) throw CommonErrors.notFound({ param: 'van_id' });
      return { object: 'van_report', vans: 1 };
    });
  }

  /** As an author may write it who takes the way round the restriction to the caller. */
  private async count(ctx: Ctx, where: Sql): Promise<VanReportDto> {
    const [{ vans }] = await this.store
      .reader(ctx)
      .query<{ vans: number }>(sql.unscoped('a leak')`SELECT count(*)::int AS vans FROM vans_fixture WHERE ${where}`);
    return { object: 'van_report', vans };
  }
}

@DomainModule({
  name: 'vans',
  title: 'Vans',
  guide: 'Vans of a fixture.',
  scopes: { 'vans:van:read': 'Read vans', 'vans:van:write': 'Write vans' },
  permissions: { 'vans.van.view': { title: 'See vans', roles: ['admin', 'member'] } },
  entities: [Van],
  controllers: [VansController],
  providers: [],
})
export class LeakyModule {}
