import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import {
  Accepted,
  BusinessEntity,
  CommonErrors,
  Ctx,
  DomainModule,
  Endpoint,
  Field,
  FileResponse,
  Id,
  Public,
  ResourceDto,
  Projects,
  projectLookup,
  Store,
  Visitor,
} from '../../src/kit/index.js';

/** A module for what the notes fixture does not cover: a prefix that differs from the name, files, pages. */
@Entity('binders_fixture')
export class Binder extends BusinessEntity {
  @Column('text') title: string;
  @Column('jsonb', { default: [] }) leaves: { page: number }[];
}

/** The fixture's table, which no migration of the product creates. */
export const BINDERS_TABLE = `
  CREATE TABLE IF NOT EXISTS binders_fixture (
    id uuid PRIMARY KEY, organization_id uuid NOT NULL, project_id uuid NOT NULL REFERENCES projects (id), mode text NOT NULL,
    title text NOT NULL, leaves jsonb NOT NULL DEFAULT '[]', version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now())`;

class LeafDto {
  @Field.integer({
    description: 'Its number, from 1.',
    example: 1,
    minimum: 1,
  })
  page: number;
}

class BinderDto extends ResourceDto {
  @Field.constant('binder') object: 'binder';
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  project_id: string;
  @Field.string({
    description: 'What is written on its back.',
    example: 'Leases',
  })
  title: string;

  @Field.object(() => LeafDto, {
    description: 'What is in it.',
    example: [{ page: 1 }],
    list: { maxItems: 5 },
  })
  leaves: LeafDto[];

  static from(binder: Binder): BinderDto {
    return {
      object: 'binder',
      id: binder.id,
      project_id: binder.project_id,
      title: binder.title,
      leaves: binder.leaves,
      version: binder.version,
      created_at: binder.created_at.toISOString(),
      updated_at: binder.updated_at.toISOString(),
    };
  }
}

class CreateBinderDto {
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
    required: false,
  })
  project_id?: string;
  @Field.string({
    description: 'What is written on its back.',
    example: 'Leases',
  })
  title: string;
}

class LeavesDto {
  @Field.object(() => LeafDto, {
    description: 'All of its leaves.',
    example: [{ page: 1 }],
    list: { maxItems: 5, repeats: true },
  })
  leaves: LeafDto[];
}

/** Controls for tests: a promise that the copying waits for, and how often it was begun. */
export const copier = { begun: 0, hold: null as Promise<void> | null };
const UNDECLARED = 'undeclared';
const JAMMED = 'jammed';
/** Bytes that are not UTF-8. */
const SCAN = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0xfe, 0x00]);

@Controller('api/v1/ext/shelves/binders')
class BindersController {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  @Post()
  @Endpoint({
    scope: 'shelves:binder:write',
    operation: 'create_binder',
    summary: 'Create a binder',
    returns: BinderDto,
    status: 201,
  })
  create(@Ctx() ctx: Ctx, @Body() body: CreateBinderDto): Promise<BinderDto> {
    return this.store.write(ctx, async (tx) => {
      const project = await this.projects.resolve(ctx, body.project_id);
      return BinderDto.from(await tx.insert(Binder, { ...body, project_id: project.id, leaves: [] }));
    });
  }

  @Post(':id/copies')
  @Endpoint({
    scope: 'shelves:binder:write',
    operation: 'copy_binder',
    summary: 'Copy a binder',
    returns: BinderDto,
    status: 201,
    ownTransactions: true,
  })
  async copy(@Ctx() ctx: Ctx, @Id() id: string): Promise<BinderDto> {
    // read before anything is awaited: a later copy may be told to wait for something else
    const { hold } = copier;
    copier.begun++;
    const { project_id, title } = await this.store.write(ctx, async (tx) =>
      tx.update(await tx.target(Binder, id), { leaves: [{ page: copier.begun }] }),
    );
    await hold;
    if (title === JAMMED) throw new Error('jammed on purpose');
    if (title === UNDECLARED) throw CommonErrors.validationFailed({ message: 'It cannot be copied.' });
    return this.store.write(ctx, async (tx) => BinderDto.from(await tx.insert(Binder, { project_id, title: `Copy of ${title}` })));
  }

  @Get(':id/leaves')
  @Endpoint({
    scope: 'shelves:binder:read',
    operation: 'get_binder_leaves',
    summary: 'Get the leaves of a binder',
    returns: BinderDto,
    produces: { 'text/csv': 'A row per leaf.' },
  })
  async leaves(
    @Ctx() ctx: Ctx,
    @Id() id: string,
    @Accepted(['application/json', 'text/csv']) type: string,
  ): Promise<BinderDto | FileResponse> {
    const binder = await this.store.get(ctx, Binder, id);
    if (type === 'application/json') return BinderDto.from(binder);
    return new FileResponse(type, ['page', ...binder.leaves.map(({ page }) => page)].join('\r\n'), {
      filename: 'leaves.csv',
      download: true,
    });
  }

  @Put(':id/leaves')
  @Endpoint({
    scope: 'shelves:binder:write',
    operation: 'replace_binder_leaves',
    summary: 'Replace the leaves of a binder',
    returns: BinderDto,
    bareList: 'leaves',
  })
  replace(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: LeavesDto): Promise<BinderDto> {
    return this.store.write(ctx, async (tx) => BinderDto.from(await tx.update(await tx.target(Binder, id), { leaves: body.leaves })));
  }

  @Get(':id/scan')
  @Endpoint({
    scope: 'shelves:binder:read',
    operation: 'get_binder_scan',
    summary: 'Get a scan of a binder',
    returns: null,
    produces: { 'application/pdf': 'All of its pages.' },
  })
  async scan(@Ctx() ctx: Ctx, @Id() id: string): Promise<FileResponse> {
    const { title } = await this.store.get(ctx, Binder, id);
    // an undeclared type, for the test of its error
    if (title === UNDECLARED) return new FileResponse('image/png', SCAN);
    return new FileResponse('application/pdf', SCAN, { filename: `${title}.pdf`, headers: { 'Cache-Control': 'private, no-cache' } });
  }
}

class NoteOnBinderDto {
  @Field.string({
    description: 'The note.',
    example: 'Page 3 is missing.',
  })
  note: string;
}

/** A public page. */
@Controller('binders-page')
class BinderPagesController {
  @Get('s/:token')
  @Public('Whoever has the link may read what it leads to')
  shared(@Param('token') token: string): FileResponse {
    if (token.startsWith('gone')) throw CommonErrors.notFound({ message: 'This link has <expired>.' });
    if (token.startsWith('broken')) throw new Error('broken on purpose');
    return new FileResponse('text/html', '<!doctype html><title>Leases</title>', { headers: { 'Cache-Control': 'no-store' } });
  }

  @Post('s/:token/notes')
  @Public('Whoever has the link may leave a note')
  note(@Body() body: NoteOnBinderDto): FileResponse {
    return new FileResponse('text/html', '<!doctype html><title>Noted</title>', { headers: { 'X-Note': encodeURIComponent(body.note) } });
  }

  @Get('visitor')
  @Public('Tells a visitor only what the visitor sent')
  visitor(@Visitor() visitor: Visitor): Visitor {
    return visitor;
  }
}

@Controller('/api/v1/public/binders')
class PublicBindersController {
  @Post('notes')
  @Public('Software may leave a note too')
  note(@Body() body: NoteOnBinderDto): NoteOnBinderDto {
    return body;
  }
}

@DomainModule({
  name: 'binders',
  prefix: 'shelves',
  title: 'Binders',
  guide: 'Binders are for the tests of the platform.',
  entities: [Binder],
  controllers: [
    projectLookup('/api/v1/ext/shelves/projects', 'list_binders_projects', { scope: 'shelves:binder:read' }),
    BindersController,
    BinderPagesController,
    PublicBindersController,
  ],
  providers: [],
  scopes: { 'shelves:binder:read': 'Read binders', 'shelves:binder:write': 'Write binders' },
})
export class BindersModule {}
