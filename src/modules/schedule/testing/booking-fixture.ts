import { randomUUID } from 'node:crypto';
import type { Json } from '../../../../test/harness/api-document.js';
import { Client, type ApiResponse } from '../../../../test/harness/client.js';
import { makeCalendar, ORG_SCHEDULE } from './schedule-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

export const ORG_BOOKINGS = `${ORG_SCHEDULE}/bookings`;
/** Availability that takes any time within two months. */
export const SETTINGS = { slot_minutes: 30, buffer_before: 0, buffer_after: 0, min_notice_minutes: 0, horizon_days: 60, daily_limit: null };
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

/** A booking page of a calendar that is open around the clock, with its visitors. */
export class BookingFixture {
  private visitors = 0;
  private readonly from = new Date(Date.now() + 86_400_000).toISOString();

  private constructor(
    readonly app: TestApp,
    readonly space: Workspace,
    readonly screen: Client,
    readonly calendar: { id: string },
    readonly page: { id: string; slug: string },
  ) {}

  /** In an organization of its own, or in the one given. */
  static async open(
    app: TestApp,
    { page = {}, calendar = {}, availability = {}, resources = [] as Json[] } = {},
    space?: Workspace,
  ): Promise<BookingFixture> {
    space ??= await app.workspace();
    const screen = await space.signIn();
    const made = await makeCalendar(space, { owner_id: space.owner.id, ...calendar });
    const rules = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' }));
    const settings = { ...SETTINGS, slot_minutes: 60 };
    const path = `${ORG_SCHEDULE}/calendars/${made.id}`;
    ok(await screen.put(`${path}/availability`, { rules, settings, ...availability }));
    for (const resource of resources) ok(await screen.post(`${path}/resources`, { kind: 'room', ...resource }));
    const slug = `meet-${randomUUID().slice(0, 13)}`;
    const values = { calendar_id: made.id, slug, title: 'Meet Grace', duration_minutes: [60], ...page };
    return new BookingFixture(app, space, screen, made, ok(await screen.post(`${ORG_SCHEDULE}/booking-pages`, values)));
  }

  /** A visitor with an address of their own. */
  visitor(address = `203.0.113.${++this.visitors % 250}`): Client {
    return new Client(this.app.url, { 'x-forwarded-for': address });
  }

  /** The free times from a day after the fixture was made, so that a time does not go while a test runs. */
  async slots(): Promise<string[]> {
    const { body } = await this.visitor().get(`/api/v1/public/booking/${this.page.slug}/slots?from=${this.from}`);
    return body.data.map(({ start_at }: { start_at: string }) => start_at);
  }

  /** Books by the API for programs. */
  book(start_at: string, values: Json = {}, visitor = this.visitor()): Promise<ApiResponse> {
    const guest = { name: 'Ada Lovelace', email: `${randomUUID().slice(0, 8)}@example.com` };
    return visitor.post(`/api/v1/public/booking/${this.page.slug}/bookings`, { start_at, ...guest, ...values });
  }

  /** Sends the form of the page. */
  send(fields: Record<string, string>, visitor = this.visitor(), path = `/b/${this.page.slug}/book`): Promise<ApiResponse> {
    return visitor.post(path, new URLSearchParams(fields).toString(), FORM);
  }

  /** All mails to an address, in order. */
  async mailsOf(to: string): Promise<{ subject: string; text: string; calendar: string | null }[]> {
    return (await this.app.sql.query('SELECT subject, text, calendar FROM mails WHERE recipient = $1 ORDER BY id', [to])).rows;
  }

  async bookings(): Promise<Json[]> {
    return (await this.screen.get(`${ORG_BOOKINGS}?calendar_id=${this.calendar.id}&limit=100`)).body.data;
  }
}

function ok(response: ApiResponse) {
  if (response.status >= 300) throw new Error(response.text);
  return response.body;
}
