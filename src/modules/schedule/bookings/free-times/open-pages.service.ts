import { Injectable } from '@nestjs/common';
import {
  Brands,
  CommonErrors,
  Contexts,
  Members,
  organizationNameOf,
  Projects,
  sql,
  Store,
  table,
  type Ctx,
  type PageBrand,
} from '../../../../kit/index.js';
import { SLUG_PATTERN } from '../../booking-pages/booking-pages.dto.js';
import { BookingPage } from '../../model/setup/booking-page.entity.js';
import { Calendar } from '../../model/setup/calendar.entity.js';
import { Resource } from '../../model/setup/resource.entity.js';

/** A booking page with what its visitors can choose, in the context of a visitor. */
export interface OpenPage {
  ctx: Ctx;
  organization: string;
  brand: PageBrand;
  page: BookingPage;
  calendar: Calendar;
  /** The active resources of the calendar; empty unless visitors choose one. */
  choices: Resource[];
  /** Whether the page accepts bookings. It does not once the calendar's owner, who is mailed about them, was deactivated. */
  isOpen: boolean;
}

const SLUG = new RegExp(SLUG_PATTERN);

/** Finds booking pages by their addresses; visitors are always in live mode. */
@Injectable()
export class OpenPages {
  constructor(
    private readonly contexts: Contexts,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly store: Store,
    private readonly brands: Brands,
  ) {}

  async find(slug: string, email: string | null = null, requestId: string | null = null): Promise<OpenPage> {
    const gone = () => CommonErrors.notFound({ message: 'This booking page does not exist.' });
    if (!SLUG.test(slug)) throw gone();
    const found = await this.contexts.findAcrossTenants<{ id: string; organization_id: string; project_id: string; organization: string }>(
      sql.unscoped('the booking page that an address names')`
        SELECT p.id, p.organization_id, p.project_id, ${organizationNameOf('p')} AS organization
        FROM ${table(BookingPage)} p WHERE p.slug = ${slug}`,
    );
    if (!found) throw gone();
    const ctx = this.contexts.guest({ organizationId: found.organization_id, projectId: found.project_id, mode: 'live' }, email, requestId);
    return this.of(ctx, found.organization, await this.store.get(ctx, BookingPage, found.id));
  }

  async of(ctx: Ctx, organization: string, page: BookingPage): Promise<OpenPage> {
    const calendar = await this.store.get(ctx, Calendar, page.calendar_id);
    const project = await this.projects.get(ctx, page.project_id);
    const choices =
      page.resource_mode === 'visitor_chooses' ? await this.store.list(ctx, Resource, { calendar_id: calendar.id, active: true }) : [];
    choices.sort((a, b) => a.name.localeCompare(b.name));
    const isOpen = page.enabled && calendar.status === 'active' && project.status === 'active' && (await this.hasHost(ctx, calendar));
    return { ctx, organization, brand: await this.brands.of(ctx), page, calendar, choices, isOpen };
  }

  private async hasHost(ctx: Ctx, { owner_member_id }: Calendar): Promise<boolean> {
    if (owner_member_id === null) return true;
    const [owner] = await this.members.byIds(ctx, [owner_member_id]);
    return owner?.status !== 'inactive';
  }
}
