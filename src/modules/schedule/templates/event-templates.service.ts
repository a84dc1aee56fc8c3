import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, own, Projects, sql, Store, table, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { isVisible } from '../calendars/calendar-access.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';
import {
  EventTemplateDto,
  type CreateEventTemplateDto,
  type EventTemplatesQuery,
  type UpdateEventTemplateDto,
} from './event-templates.dto.js';
import { requireMetadataSchema } from './metadata-schema.js';

const MOST_TEMPLATES = 200;

/** Sets up event templates. Changes of a project's templates run one after the other. */
@Injectable()
export class EventTemplatesService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  page(ctx: Ctx, query: EventTemplatesQuery): Promise<Page<EventTemplate>> {
    const ofCalendar =
      query.calendar_id === undefined
        ? []
        : [
            sql`t.id IN (SELECT c.template_id FROM ${table(Calendar)} c
              WHERE ${own('c')} AND c.id = ${query.calendar_id}
                AND (c.visibility = 'project' OR c.owner_member_id = ${ctx.memberId}))`,
          ];
    return this.store.page(ctx, EventTemplate, query, ...ofCalendar);
  }

  async mapper(ctx: Ctx, templates: readonly EventTemplate[]): Promise<(template: EventTemplate) => EventTemplateDto> {
    const calendars = await this.store.list(ctx, Calendar, { template_id: templates.map(({ id }) => id) });
    const visible = calendars.filter((calendar) => isVisible(ctx, calendar));
    return (template) =>
      EventTemplateDto.from(
        template,
        visible.filter(({ template_id }) => template_id === template.id).map(({ id }) => id),
      );
  }

  async of(ctx: Ctx, template: EventTemplate): Promise<EventTemplateDto> {
    return (await this.mapper(ctx, [template]))(template);
  }

  get(ctx: Ctx, id: string): Promise<EventTemplate> {
    return this.store.get(ctx, EventTemplate, id);
  }

  async create(ctx: Ctx, { project_id, ...given }: CreateEventTemplateDto): Promise<EventTemplate> {
    const project = await this.projects.resolve(ctx, project_id);
    const {
      is_default = false,
      core = { title: 'required', location: 'optional', description: 'optional' },
      metadata_schema = { type: 'object', properties: {} },
    } = given;
    requireMetadataSchema(metadata_schema);
    return this.change(ctx, project.id, async (tx, templates) => {
      if (templates.length >= MOST_TEMPLATES)
        throw CommonErrors.resourceConflict({ message: `A project can have at most ${MOST_TEMPLATES} templates; delete one first.` });
      if (is_default) await unsetDefault(tx, templates);
      return tx.insert(EventTemplate, { ...given, project_id: project.id, is_default, core, metadata_schema });
    });
  }

  async update(ctx: Ctx, id: string, changes: UpdateEventTemplateDto): Promise<EventTemplate> {
    const { project_id } = await this.get(ctx, id);
    if (changes.metadata_schema !== undefined) requireMetadataSchema(changes.metadata_schema);
    return this.change(ctx, project_id, async (tx, templates) => {
      const template = await tx.target(EventTemplate, id);
      if (changes.is_default === false && template.is_default)
        throw invalid('is_default', 'cannot be false for the default template; send is_default: true for another template instead');
      if (changes.is_default && !template.is_default) await unsetDefault(tx, templates);
      return tx.update(template, changes);
    });
  }

  /** A template in use cannot be deleted: the foreign keys of calendars and events reject it. */
  async delete(ctx: Ctx, id: string): Promise<void> {
    const { project_id } = await this.get(ctx, id);
    await this.change(ctx, project_id, async (tx) => {
      const template = await tx.target(EventTemplate, id);
      if (template.is_default)
        throw CommonErrors.resourceConflict({ message: 'The default template cannot be deleted; make another one the default first.' });
      await tx.delete(template);
    });
  }

  private change<R>(ctx: Ctx, projectId: string, change: (tx: Tx, templates: EventTemplate[]) => Promise<R>): Promise<R> {
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(`schedule event templates ${projectId}`);
      return change(tx, await tx.list(EventTemplate, { project_id: projectId }));
    });
  }
}

async function unsetDefault(tx: Tx, templates: readonly EventTemplate[]): Promise<void> {
  for (const template of templates) if (template.is_default) await tx.update(template, { is_default: false });
}
