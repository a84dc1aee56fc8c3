import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, Members, own, sql, Store, table, type Ctx, type Page } from '../../../kit/index.js';
import { CalendarAccess } from '../calendars/calendar-access.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Resource } from '../model/setup/resource.entity.js';
import { changeCapacity } from '../occupancies/capacity-changes.js';
import { requireNoOverlap } from '../occupancies/person-changes.js';
import { lockPerson, lockResource } from '../model/setup/schedule-locks.js';
import type { CalendarResourcesQuery, CreateCalendarResourceDto, UpdateCalendarResourceDto } from './resources.dto.js';

/** The number of resources that one availability query can handle quickly. */
const MOST_RESOURCES = 200;

/** Sets up the resources of calendars. */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly calendars: CalendarAccess,
  ) {}

  async page(ctx: Ctx, calendarId: string, query: CalendarResourcesQuery): Promise<Page<Resource>> {
    const { id } = await this.calendars.get(ctx, calendarId);
    return this.store.page(ctx, Resource, query, { calendar_id: id });
  }

  async get(ctx: Ctx, calendarId: string, id: string): Promise<Resource> {
    const resource = await this.store.get(ctx, Resource, id);
    if (resource.calendar_id !== calendarId) throw CommonErrors.notFound();
    await this.calendars.get(ctx, calendarId);
    return resource;
  }

  async create(ctx: Ctx, calendarId: string, body: CreateCalendarResourceDto): Promise<Resource> {
    await this.requirePerson(ctx, body);
    return this.store.write(ctx, async (tx) => {
      const calendar = await this.calendars.lock(ctx, calendarId, tx);
      if ((await tx.list(Resource, { calendar_id: calendar.id })).length >= MOST_RESOURCES)
        throw CommonErrors.resourceConflict({ message: `A calendar can have at most ${MOST_RESOURCES} resources; delete one first.` });
      return tx.insert(Resource, { ...body, project_id: calendar.project_id, calendar_id: calendar.id });
    });
  }

  async update(ctx: Ctx, calendarId: string, id: string, body: UpdateCalendarResourceDto): Promise<Resource> {
    const { kind, member_id } = await this.get(ctx, calendarId, id);
    await this.requirePerson(ctx, { kind, member_id, ...body });
    return this.store.write(ctx, async (tx) => {
      if (body.capacity !== undefined || body.member_id !== undefined) await lockResource(ctx, tx, id);
      if (body.member_id) await lockPerson(ctx, tx, body.member_id);
      const resource = await tx.target(Resource, id);
      if (body.capacity !== undefined && body.capacity !== resource.capacity) await changeCapacity(tx, resource, body.capacity);
      if (body.member_id && body.member_id !== resource.member_id) await requireNoOverlap(tx, resource, body.member_id);
      return tx.update(resource, body);
    });
  }

  /** Foreign keys reject deleting a resource of bookings and of events that occupy it; others have its id, too. */
  async delete(ctx: Ctx, calendarId: string, id: string): Promise<void> {
    await this.get(ctx, calendarId, id);
    await this.store.write(ctx, async (tx) => {
      const resource = await tx.target(Resource, id);
      const [used] = await tx.sql(
        sql.inBothModes('whether events of either mode use a resource')`SELECT 1 FROM ${table(ScheduleEvent)} e
          WHERE ${own('e')} AND e.project_id = ${resource.project_id} AND e.resource_ids @> ARRAY[${id}]::uuid[]
          UNION ALL SELECT 1 FROM ${table(Instance)} i
          WHERE ${own('i')} AND i.project_id = ${resource.project_id} AND i.resource_ids @> ARRAY[${id}]::uuid[]
          LIMIT 1`,
      );
      if (used) throw CommonErrors.resourceConflict({ message: 'Events have the resource, so it cannot be deleted; set active to false.' });
      await tx.delete(resource);
    });
  }

  private async requirePerson(ctx: Ctx, { kind, member_id }: Pick<CreateCalendarResourceDto, 'kind' | 'member_id'>): Promise<void> {
    if (!member_id) return;
    if (kind !== 'person') throw invalid('member_id', 'is only for resources of the kind person');
    const [member] = await this.members.byIds(ctx, [member_id]);
    if (member?.status !== 'active') throw invalid('member_id', 'must be an active member');
  }
}
