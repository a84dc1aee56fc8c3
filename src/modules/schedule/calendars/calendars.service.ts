import { Injectable } from '@nestjs/common';
import {
  changedFrom,
  CommonErrors,
  definedOf,
  invalid,
  Members,
  Projects,
  Store,
  type Ctx,
  type Page,
  type Project,
  type Tx,
} from '../../../kit/index.js';
import type { AvailabilityRule } from '../model/core/weekly-hours.js';
import { Availability } from '../model/setup/availability.entity.js';
import { Calendar, type CalendarStatus } from '../model/setup/calendar.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';
import { lockCalendar, lockPerson } from '../model/setup/schedule-locks.js';
import { requireFreeOwner } from '../occupancies/person-changes.js';
import { CalendarAccess, requireManaged, requireOwnFields, visibleTo } from './calendar-access.js';
import { publish } from './publish.js';
import { CalendarViews } from './calendar-views.js';
import { CalendarEvents } from './calendars.events.js';
import type { CalendarsQuery, CreateCalendarDto, MyCalendarDto, UpdateCalendarDto } from './calendars.dto.js';
import { requireZone } from './zone-field.js';

const DEFAULT_HOURS: readonly AvailabilityRule[] = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:00' }));
const MOST_CALENDARS = 1_000;

/** Sets up calendars. */
@Injectable()
export class CalendarsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly views: CalendarViews,
    private readonly access: CalendarAccess,
  ) {}

  /** The calendars that the caller may see. */
  page(ctx: Ctx, query: CalendarsQuery): Promise<Page<Calendar>> {
    return this.store.page(ctx, Calendar, query, visibleTo(ctx));
  }

  get(ctx: Ctx, id: string): Promise<Calendar> {
    return this.access.get(ctx, id);
  }

  async create(ctx: Ctx, { project_id, owner_id = null, timezone, template_id, ...given }: CreateCalendarDto): Promise<Calendar> {
    const project = await this.projects.resolve(ctx, project_id);
    if (owner_id !== null) await this.requireMember(ctx, owner_id);
    return this.store.write(ctx, async (tx) => {
      const values = { ...given, owner_member_id: owner_id, timezone: requireZone(timezone ?? project.timezone) };
      return this.insert(ctx, tx, project, values, template_id);
    });
  }

  /** The member's own calendar in the project; creates it if there is none. */
  async mine(ctx: Ctx, { project_id, timezone }: MyCalendarDto): Promise<{ calendar: Calendar; isNew: boolean }> {
    const project = await this.projects.resolve(ctx, project_id);
    const [member] = await this.members.byIds(ctx, [ctx.memberId as string]);
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(`schedule personal calendar ${project.id} ${member.id}`);
      const [existing] = await tx.list(Calendar, { project_id: project.id, owner_member_id: member.id, personal: true });
      if (existing) return { calendar: existing, isNew: false };
      const calendar = await this.insert(ctx, tx, project, {
        name: member.name.slice(0, 100),
        owner_member_id: member.id,
        timezone: requireZone(timezone ?? project.timezone),
        visibility: 'private',
        personal: true,
      });
      return { calendar, isNew: true };
    });
  }

  async update(ctx: Ctx, id: string, { owner_id, timezone, template_id, ...given }: UpdateCalendarDto): Promise<Calendar> {
    if (owner_id) await this.requireMember(ctx, owner_id);
    return this.store.write(ctx, async (tx) => {
      const seen = requireManaged(ctx, await this.access.get(ctx, id, tx));
      requireOwnFields(ctx, { ...given, owner_id, template_id });
      const isTakenOver = seen.personal && owner_id !== undefined && owner_id !== seen.owner_member_id;
      if (isTakenOver) await this.requireLeft(ctx, seen);
      // whoever writes events holds this lock and relies on the owner
      if (owner_id !== undefined) await lockCalendar(ctx, tx, id);
      if (owner_id) await lockPerson(ctx, tx, owner_id);
      const calendar = await this.access.target(ctx, id, tx);
      const template = template_id === undefined ? undefined : await this.template(tx, calendar.project_id, template_id);
      const changes = {
        ...given,
        ...(isTakenOver ? { personal: false } : {}),
        owner_member_id: owner_id,
        timezone: timezone === undefined ? undefined : requireZone(timezone),
        template_id: template?.id,
      };
      requireOwner({ ...calendar, ...definedOf(changes) });
      if (owner_id && owner_id !== calendar.owner_member_id) await requireFreeOwner(tx, calendar, owner_id);
      return this.change(ctx, tx, calendar, changes);
    });
  }

  setStatus(ctx: Ctx, id: string, status: CalendarStatus): Promise<Calendar> {
    return this.store.write(ctx, async (tx) => {
      const calendar = await this.access.target(ctx, id, tx);
      if (calendar.status === status) return calendar;
      const changed = await tx.update(calendar, { status });
      publish(tx, changed, CalendarEvents.calendarStatusChanged, {
        object: await this.views.of(ctx, changed, tx),
        previous: { status: calendar.status },
        context: { from: calendar.status, to: status },
      });
      return changed;
    });
  }

  /**
   * A personal calendar can be taken over once its owner has left. It becomes an ordinary calendar of the new owner, who may have a
   * personal one: its events no longer keep anybody busy in other calendars.
   */
  private async requireLeft(ctx: Ctx, { owner_member_id }: Calendar): Promise<void> {
    const [owner] = await this.members.byIds(ctx, [owner_member_id as string]);
    if (owner.status !== 'inactive') throw invalid('owner_id', 'of a personal calendar can be changed only once its owner was deactivated');
  }

  /** A calendar with events, bookings, resources or booking pages cannot be deleted: their foreign keys reject it. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => tx.delete(await this.access.target(ctx, id, tx)));
  }

  /** Records a change that shows in a calendar's representation, such as that of its booking page or availability. */
  async touch(ctx: Ctx, tx: Tx, calendar: Calendar): Promise<void> {
    const changed = await tx.advanced.touch(calendar);
    publish(tx, changed, CalendarEvents.calendarUpdated, { object: await this.views.of(ctx, changed, tx), previous: {} });
  }

  private async insert(ctx: Ctx, tx: Tx, project: Project, values: Partial<Calendar>, templateId?: string): Promise<Calendar> {
    await tx.advanced.mutex(`schedule calendars ${project.id}`);
    if ((await tx.list(Calendar, { project_id: project.id })).length >= MOST_CALENDARS)
      throw CommonErrors.resourceConflict({ message: `A project can have at most ${MOST_CALENDARS} calendars; delete one first.` });
    const template = await this.template(tx, project.id, templateId);
    requireOwner(values);
    const calendar = await tx.insert(Calendar, { ...values, project_id: project.id, template_id: template.id });
    await tx.insert(Availability, { project_id: project.id, calendar_id: calendar.id, resource_id: null, rules: [...DEFAULT_HOURS] });
    publish(tx, calendar, CalendarEvents.calendarCreated, { object: await this.views.of(ctx, calendar, tx) });
    return calendar;
  }

  private async change(ctx: Ctx, tx: Tx, calendar: Calendar, changes: Partial<Calendar>): Promise<Calendar> {
    const before = await this.views.of(ctx, calendar, tx);
    const changed = await tx.update(calendar, changes);
    if (changed.version === calendar.version) return changed;
    const object = await this.views.of(ctx, changed, tx);
    const previous = calendar.visibility === 'project' ? changedFrom(before, object) : { visibility: before.visibility };
    publish(tx, changed, CalendarEvents.calendarUpdated, { object, previous });
    return changed;
  }

  private async template(tx: Tx, project_id: string, id: string | undefined): Promise<EventTemplate> {
    const [found] = await tx.list(EventTemplate, id === undefined ? { project_id, is_default: true } : { project_id, id });
    if (found) return found;
    throw CommonErrors.validationFailed({
      param: 'template_id',
      message:
        id === undefined
          ? 'template_id is required, because the project has no default template'
          : 'template_id must be an event template of the project, from list_event_templates',
    });
  }

  private async requireMember(ctx: Ctx, id: string): Promise<void> {
    const [member] = await this.members.byIds(ctx, [id]);
    if (member?.status !== 'active') throw invalid('owner_id', 'must be an active member');
  }
}

function requireOwner({ visibility, owner_member_id }: Partial<Calendar>): void {
  if (visibility === 'private' && !owner_member_id) throw invalid('owner_id', 'is required for a private calendar');
}
