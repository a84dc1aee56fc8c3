import { Injectable } from '@nestjs/common';
import { CommonErrors, isCalendarDay, Store, currentTime, DAY_MS, type Ctx, type Tx } from '../../../kit/index.js';
import { CalendarAccess, requireManaged } from '../calendars/calendar-access.js';
import { CalendarsService } from '../calendars/calendars.service.js';
import type { DayWindow } from '../model/core/weekly-hours.js';
import { AvailabilityOverride } from '../model/setup/availability-override.entity.js';
import { Availability } from '../model/setup/availability.entity.js';
import { Resource } from '../model/setup/resource.entity.js';
import { AvailabilitySetupDto, type SetAvailabilityDto } from './availability-setup.dto.js';

const MOST_OVERRIDES = 1_000;

/** The calendar or resource that availability belongs to. */
export type Owner = { calendarId: string } | { resourceId: string };

/** Sets when calendars and resources can be booked. A change shows as `calendar.updated`. */
@Injectable()
export class AvailabilitySetup {
  constructor(
    private readonly store: Store,
    private readonly calendars: CalendarsService,
    private readonly access: CalendarAccess,
  ) {}

  /** A resource without an availability of its own has its calendar's. */
  async get(ctx: Ctx, owner: Owner): Promise<AvailabilitySetupDto> {
    const { calendarId, resourceId } = await this.asPlanned(ctx, owner);
    const found = await this.store.list(ctx, Availability, { calendar_id: calendarId });
    const own = found.find(({ resource_id }) => resource_id === resourceId);
    const availability = own ?? found.find(({ resource_id }) => resource_id === null);
    if (!availability) throw CommonErrors.notFound();
    return this.dto(availability, await this.store.list(ctx, AvailabilityOverride, { availability_id: availability.id }));
  }

  set(ctx: Ctx, owner: Owner, { rules, settings }: SetAvailabilityDto): Promise<AvailabilitySetupDto> {
    return this.change(ctx, owner, async (tx, own, values) => {
      const availability = own
        ? await tx.update(own, { rules, ...settings })
        : await tx.insert(Availability, { ...values, rules, ...settings });
      return availability;
    });
  }

  /** Gives a resource its calendar's availability again. */
  async unset(ctx: Ctx, resourceId: string): Promise<void> {
    await this.change(ctx, { resourceId }, async (tx, own) => {
      if (!own) throw CommonErrors.notFound();
      await tx.delete(own);
      return null;
    });
  }

  setOverride(ctx: Ctx, owner: Owner, on: string, windows: DayWindow[]): Promise<AvailabilitySetupDto> {
    requireDay(on);
    return this.change(ctx, owner, async (tx, own, values, inherited) => {
      const availability = own ?? (await this.copy(tx, inherited, values));
      const overrides = await tx.list(AvailabilityOverride, { availability_id: availability.id });
      const existing = overrides.find((override) => override.on === on);
      if (existing) await tx.update(existing, { windows });
      else {
        if (overrides.length >= MOST_OVERRIDES)
          throw CommonErrors.resourceConflict({ message: `At most ${MOST_OVERRIDES} days can have overrides; delete one first.` });
        await tx.insert(AvailabilityOverride, { project_id: availability.project_id, availability_id: availability.id, on, windows });
      }
      return tx.advanced.touch(availability);
    });
  }

  async unsetOverride(ctx: Ctx, owner: Owner, on: string): Promise<void> {
    requireDay(on);
    await this.change(ctx, owner, async (tx, own) => {
      const [override] = own ? await tx.list(AvailabilityOverride, { availability_id: own.id, on }) : [];
      if (!own || !override) throw CommonErrors.notFound();
      await tx.delete(override);
      return tx.advanced.touch(own);
    });
  }

  private async change<A extends Availability | null>(
    ctx: Ctx,
    owner: Owner,
    change: (tx: Tx, own: Availability | undefined, values: Partial<Availability>, calendars: Availability | undefined) => Promise<A>,
  ): Promise<A extends null ? null : AvailabilitySetupDto> {
    const { calendarId, resourceId } = await this.asPlanned(ctx, owner);
    return this.store.write(ctx, async (tx) => {
      const calendar = await this.access.lock(ctx, calendarId, tx);
      const found = await tx.list(Availability, { calendar_id: calendarId });
      const own = found.find(({ resource_id }) => resource_id === resourceId);
      const target = own && (await tx.target(Availability, own.id));
      const values = { project_id: calendar.project_id, calendar_id: calendarId, resource_id: resourceId };
      const inherited = found.find(({ resource_id }) => resource_id === null);
      const availability = await change(tx, target, values, inherited);
      await this.calendars.touch(ctx, tx, calendar);
      if (availability === null) return null as never;
      return this.dto(availability, await tx.list(AvailabilityOverride, { availability_id: availability.id })) as never;
    });
  }

  /** A resource's first own override copies the rules, settings and overrides of its calendar. */
  private async copy(tx: Tx, inherited: Availability | undefined, values: Partial<Availability>): Promise<Availability> {
    if (!inherited) throw CommonErrors.notFound();
    const { rules, slot_minutes, buffer_before, buffer_after, min_notice_minutes, horizon_days, daily_limit } = inherited;
    const settings = { slot_minutes, buffer_before, buffer_after, min_notice_minutes, horizon_days, daily_limit };
    const copy = await tx.insert(Availability, { ...values, rules, ...settings });
    for (const { on, windows } of await tx.list(AvailabilityOverride, { availability_id: inherited.id }))
      await tx.insert(AvailabilityOverride, { project_id: copy.project_id, availability_id: copy.id, on, windows });
    return copy;
  }

  private async asPlanned(ctx: Ctx, owner: Owner): Promise<{ calendarId: string; resourceId: string | null }> {
    const resource = 'calendarId' in owner ? null : await this.store.get(ctx, Resource, owner.resourceId);
    const calendar = await this.access.get(ctx, 'calendarId' in owner ? owner.calendarId : (resource as Resource).calendar_id);
    const { id } = requireManaged(ctx, calendar);
    return { calendarId: id, resourceId: resource?.id ?? null };
  }

  /** Past days are left out, because they no longer have an effect. */
  private dto(availability: Availability, overrides: readonly AvailabilityOverride[]): AvailabilitySetupDto {
    const yesterday = new Date(currentTime().getTime() - DAY_MS).toISOString().slice(0, 10);
    const current = overrides.filter(({ on }) => on >= yesterday).sort((a, b) => (a.on < b.on ? -1 : 1));
    return AvailabilitySetupDto.from(availability, current);
  }
}

function requireDay(on: string): void {
  if (!isCalendarDay(on)) throw CommonErrors.notFound();
}
