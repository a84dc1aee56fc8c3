import { Body, Controller, Delete, Get, Injectable, Patch, Post, Query } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import {
  BusinessEntity,
  CommonErrors,
  Ctx,
  defineErrors,
  defineEvents,
  DomainModule,
  Endpoint,
  event,
  Field,
  Filter,
  Id,
  listBody,
  Listing,
  ListQuery,
  partialOf,
  ResourceDto,
  Projects,
  Store,
  Upload,
  Uploaded,
  type Decimal,
  type ListBody,
  projectLookup,
} from '../../src/kit/index.js';

/** A minimal module for tests of the platform, independent of the product's modules. */
@Entity('notes_fixture')
export class Note extends BusinessEntity {
  @Column('text') title: string;
  @Column('text', { nullable: true }) body: string | null;
  @Column('jsonb', { default: {} }) extra: Record<string, unknown>;
  /** Of something that runs out. */
  @Column('numeric', { nullable: true }) remaining: Decimal | null;
}

/** The table of the fixture: no migration of the product makes it. */
export const NOTES_TABLE = `
  CREATE TABLE IF NOT EXISTS notes_fixture (
    id uuid PRIMARY KEY, organization_id uuid NOT NULL, project_id uuid NOT NULL REFERENCES projects (id), mode text NOT NULL,
    title text NOT NULL, body text, extra jsonb NOT NULL DEFAULT '{}', remaining numeric, version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT notes_fixture_title_check CHECK (title <> 'forbidden'),
    CONSTRAINT notes_fixture_remaining_check CHECK (remaining >= 0), CONSTRAINT notes_fixture_title_key UNIQUE (organization_id,
    mode, title))`;

class NoteDto extends ResourceDto {
  @Field.constant('note') object: 'note';
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  project_id: string;
  @Field.string({
    description: 'The heading.',
    example: 'Milk',
  })
  title: string;
  @Field.string({
    description: 'The text.',
    example: 'Two bottles',
    nullable: true,
    maxLength: 2000,
  })
  body: string | null;
  @Field.map({
    description: 'Anything.',
    example: { color: 'red' },
  })
  extra: Record<string, unknown>;

  static from(note: Note): NoteDto {
    return {
      object: 'note',
      id: note.id,
      project_id: note.project_id,
      title: note.title,
      body: note.body,
      extra: note.extra,
      version: note.version,
      created_at: note.created_at.toISOString(),
      updated_at: note.updated_at.toISOString(),
    };
  }
}

class CreateNoteDto {
  @Field.uuid({
    description: 'Its project.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
    required: false,
  })
  project_id?: string;
  @Field.string({
    description: 'The heading.',
    example: 'Milk',
  })
  title: string;
  @Field.string({
    description: 'The text.',
    example: 'Two bottles',
    nullable: true,
    required: false,
    maxLength: 2000,
  })
  body?: string | null;
  @Field.map({
    description: 'Anything.',
    example: { color: 'red' },
    required: false,
  })
  extra?: Record<string, unknown>;
}

class UpdateNoteDto extends partialOf(CreateNoteDto, { omit: ['project_id'] }) {}

@Listing({
  sort: ['created_at', 'title'],
  defaultSort: '-created_at',
})
class ListNotesQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only of these projects.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  project_id?: string[];
  @Filter.string({
    description: 'Only with these titles.',
    example: 'Milk',
  })
  title?: string[];
}

export const NoteEvents = defineEvents({
  created: event({ name: 'note.created', description: 'A note was written.', permission: null, payload: NoteDto }),
});
const NoteErrors = defineErrors({
  tooDull: { code: 'too_dull', type: 'invalid_request_error', status: 400, message: 'Notes named dull are not kept.' },
});

class NotesImportDto {
  @Field.constant('notes_import') object: 'notes_import';
  @Field.integer({
    description: 'How many notes were written.',
    example: 2,
  })
  created: number;
}

class NotesImportQuery {
  @Field.uuid({
    description: 'The project of the notes.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
    required: false,
  })
  project_id?: string;
}

/** Controls for tests: a promise that the handler waits for, how often it ran, and the last requested failure. */
export const knobs = { created: 0, hold: null as Promise<void> | null, scenario: null as string | null };

@Injectable()
export class NotesService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  create(ctx: Ctx, { project_id, ...values }: CreateNoteDto): Promise<Note> {
    return this.store.write(ctx, async (tx) => {
      const project = await this.projects.resolve(ctx, project_id);
      knobs.created++;
      knobs.scenario = ctx.scenario;
      const note = await tx.insert(Note, { ...values, project_id: project.id, body: values.body ?? null, extra: values.extra ?? {} });
      tx.emit(NoteEvents.created, { object: NoteDto.from(note), projectId: note.project_id });
      await knobs.hold;
      if (note.title === 'dull') throw NoteErrors.tooDull({ param: 'title' });
      if (note.title === 'crash') throw new Error('crashed on purpose');
      return note;
    });
  }

  import(ctx: Ctx, titles: readonly string[], project_id?: string): Promise<number> {
    return this.store.write(ctx, async () => {
      for (const title of titles) await this.create(ctx, { title, project_id });
      return titles.length;
    });
  }

  update(ctx: Ctx, id: string, values: UpdateNoteDto): Promise<Note> {
    return this.store.write(ctx, async (tx) => tx.update(await tx.target(Note, id), values as Partial<Note>));
  }

  remove(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => tx.delete(await tx.target(Note, id)));
  }
}

@Controller('api/v1/ext/notes/notes')
class NotesController {
  constructor(
    private readonly notes: NotesService,
    private readonly store: Store,
  ) {}

  @Get()
  @Endpoint({
    scope: 'notes:note:read',
    operation: 'list_notes',
    summary: 'List notes',
    returns: NoteDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ListNotesQuery): Promise<ListBody<NoteDto>> {
    return listBody(await this.store.page(ctx, Note, query), NoteDto.from);
  }

  @Get(':id')
  @Endpoint({
    scope: 'notes:note:read',
    operation: 'get_note',
    summary: 'Get a note',
    returns: NoteDto,
    deprecated: {
      since: new Date('2026-01-01T00:00:00Z'),
      sunset: new Date('2027-06-01T00:00:00Z'),
      info: 'https://example.com/notes',
      successor: '/api/v2/notes',
    },
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<NoteDto> {
    return NoteDto.from(await this.store.get(ctx, Note, id));
  }

  @Post()
  @Endpoint({
    scope: 'notes:note:write',
    operation: 'create_note',
    summary: 'Create a note',
    returns: NoteDto,
    status: 201,
    errors: [NoteErrors.tooDull, CommonErrors.duplicate],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateNoteDto): Promise<NoteDto> {
    return NoteDto.from(await this.notes.create(ctx, body));
  }

  @Post('import')
  @Endpoint({
    scope: 'notes:note:write',
    operation: 'import_notes',
    summary: 'Write notes, one for each line of a file',
    returns: NotesImportDto,
    upload: { 'text/plain': { type: 'string', description: 'A heading per line.', example: 'Milk' } },
    errors: [NoteErrors.tooDull, CommonErrors.duplicate],
  })
  async import(@Ctx() ctx: Ctx, @Query() { project_id }: NotesImportQuery, @Uploaded() { bytes }: Upload): Promise<NotesImportDto> {
    const titles = bytes.toString('utf8').trim().split('\n');
    return { object: 'notes_import', created: await this.notes.import(ctx, titles, project_id) };
  }

  @Patch(':id')
  @Endpoint({
    scope: 'notes:note:write',
    operation: 'update_note',
    summary: 'Change a note',
    returns: NoteDto,
    requiresActor: false,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateNoteDto): Promise<NoteDto> {
    return NoteDto.from(await this.notes.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    scope: 'notes:note:delete',
    operation: 'delete_note',
    summary: 'Delete a note',
    returns: null,
  })
  remove(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.notes.remove(ctx, id);
  }

  @Post(':id/sign')
  @Endpoint({
    scope: 'notes:note:write',
    operation: 'sign_note',
    summary: 'Sign a note',
    returns: NoteDto,
    requiresActor: true,
  })
  async sign(@Ctx() ctx: Ctx, @Id() id: string): Promise<NoteDto> {
    return NoteDto.from(await this.store.get(ctx, Note, id));
  }
}

@DomainModule({
  name: 'notes',
  title: 'Notes',
  guide: 'Notes are for the tests of the platform.',
  scenarios: ['note_lost'],
  entities: [Note],
  controllers: [projectLookup('/api/v1/ext/notes/projects', 'list_notes_projects', { scope: 'notes:note:read' }), NotesController],
  providers: [NotesService],
  scopes: { 'notes:note:read': 'Read notes', 'notes:note:write': 'Write notes', 'notes:note:delete': 'Delete notes' },
  permissions: {
    'notes.note.review': { title: 'Review notes', roles: ['admin', 'member'] },
    'notes.note.override': { title: 'Change reviewed notes', roles: ['admin'] },
  },
  events: NoteEvents,
  errors: NoteErrors,
})
export class NotesModule {}
