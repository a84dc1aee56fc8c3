import { HOUR_MS, own, sql, Store, table, type Ctx, type ModuleDemo } from '../../kit/index.js';
import { TicketChanges } from './changes/ticket-changes.js';
import { DeskAgent } from './model/agent.entity.js';
import { DeskMailbox } from './model/mailbox.entity.js';
import { DeskQueue } from './model/queue.entity.js';
import { Ticket } from './model/ticket.entity.js';
import type { StatusCategory } from './model/values.js';
import { DeskSetup } from './setup/desk-setup.service.js';
import { RepliesService } from './tickets/replies.service.js';
import { TicketUpdates } from './tickets/ticket-updates.service.js';
import type { CreateTicketDto } from './tickets/tickets.dto.js';
import { TicketsService } from './tickets/tickets.service.js';

/** The services that create the demo data. */
interface DeskSeeding {
  store: Store;
  tickets: TicketsService;
  updates: TicketUpdates;
  replies: RepliesService;
  changes: TicketChanges;
}

/** The configuration that the demo's tickets need. */
interface DemoDesk {
  billingId: string;
  agentIds: readonly string[];
  statuses: Readonly<Record<StatusCategory, string>>;
}

const MAILBOX = 'support@demo.example';

/** Gives the demo's mailbox a new token, and makes it first if there is none. */
export async function renewDemoMailbox(store: Store, setup: DeskSetup, ctx: Ctx, project_id: string): Promise<string> {
  const [mailbox] = await store.list(ctx, DeskMailbox, { project_id, address: MAILBOX });
  const { token } = mailbox
    ? await setup.renewToken(ctx, mailbox.id)
    : await setup.createMailbox(ctx, { project_id, address: MAILBOX, name: 'Demo support' });
  return token;
}

/** Two queues, agents, office hours, a policy, two views and two canned responses. */
export async function setUpDeskDemo(setup: DeskSetup, ctx: Ctx, project_id: string, memberIds: readonly string[]): Promise<DemoDesk> {
  const { id: billingId } = await setup.createQueue(ctx, { project_id, name: 'Billing' });
  const agentIds: string[] = [];
  for (const member_id of new Set(memberIds)) agentIds.push((await setup.createAgent(ctx, { project_id, member_id })).id);
  const windows = [1, 2, 3, 4, 5].flatMap((weekday) => [
    { weekday, start: '09:00', end: '12:30' },
    { weekday, start: '13:30', end: '18:00' },
  ]);
  const hours = await setup.createBusinessHours(ctx, { project_id, name: 'Office hours', windows, holidays: ['2026-12-25', '2027-01-01'] });
  const around = { first_response: 30, next_response: 30, resolution: 480 };
  await setup.createPolicy(ctx, {
    project_id,
    name: 'Outage, around the clock',
    tags: ['outage'],
    targets: { high: around, urgent: around },
  });
  const targets = {
    low: { first_response: 960, resolution: 4800 },
    normal: { first_response: 480, next_response: 480, resolution: 2400 },
    high: { first_response: 120, next_response: 240, resolution: 960 },
    urgent: { first_response: 60, next_response: 60, resolution: 480 },
  };
  await setup.createPolicy(ctx, { project_id, name: 'Standard', business_hours_id: hours.id, targets });
  await setup.createView(ctx, {
    project_id,
    name: 'Unassigned',
    filters: { status_category: ['unsolved'], assignee_id: ['none'] },
  });
  await setup.createView(ctx, { project_id, name: 'Urgent', filters: { status_category: ['unsolved'], priority: ['high', 'urgent'] } });
  await setup.createCannedResponse(ctx, {
    project_id,
    name: 'Ask for details',
    body: 'Hello {{requester.name}},\n\nwhat exactly did you do before it happened, and what did you see?\n\n{{agent.name}}',
  });
  await setup.createCannedResponse(ctx, {
    project_id,
    name: 'Invoice sent again',
    body: 'Hello {{requester.name}},\n\nwe have sent you the invoice again.\n\n{{agent.name}}',
  });
  return { billingId, agentIds, statuses: await setup.defaultStatuses(ctx, project_id) };
}

/** What the set-up has made. */
async function deskOf(store: Store, setup: DeskSetup, ctx: Ctx, project_id: string, members: readonly string[]): Promise<DemoDesk> {
  const [billing] = await store.list(ctx, DeskQueue, { project_id, name: 'Billing' });
  const agents = await store.list(ctx, DeskAgent, { project_id });
  const agentIds = [...new Set(members)].flatMap((member) => agents.find(({ member_id }) => member_id === member)?.id ?? []);
  return { billingId: billing.id, agentIds, statuses: await setup.defaultStatuses(ctx, project_id) };
}

/** Creates tickets of all categories, one of them overdue and one merged. */
export async function seedDesk(services: DeskSeeding, ctx: Ctx, projectId: string, desk: DemoDesk, isComplete: boolean): Promise<void> {
  const seeds = new TicketSeeds(services, ctx, projectId, desk);
  await seeds.first();
  if (isComplete) await seeds.others();
}

class TicketSeeds {
  constructor(
    private readonly services: DeskSeeding,
    private readonly ctx: Ctx,
    private readonly projectId: string,
    private readonly desk: DemoDesk,
  ) {}

  async first(): Promise<void> {
    await this.open('Nadia Rahman', 'How do I change my address?', 'I have moved and cannot find where to enter it.');
    const late = await this.open('Oskar Lindholm', 'The shop does not load', 'Since this morning I see an empty page.', {
      priority: 'urgent',
      tags: ['outage'],
      assignee_id: this.desk.agentIds[0],
    });
    await this.makeLate(late);
    const asked = await this.open('Tomás Ferreira', 'My parcel has not arrived', 'It was to come on Monday.');
    await this.answer(asked, 'Which number does your order have?', 'pending');
  }

  async others(): Promise<void> {
    const [mei] = this.desk.agentIds;
    const { billingId: queue_id } = this.desk;
    await this.open('Beatrix Kleinhans', 'Wrong VAT on my invoice', 'It says 19 %, but books have 7 %.', { queue_id, priority: 'high' });
    const talked = await this.open('Samuel Adeyemi', 'The lamp flickers', 'It flickers as soon as it is warm.', { assignee_id: mei });
    await this.answer(talked, 'Does it also flicker with another bulb?');
    await this.services.replies.reply(this.ctx, talked, { as: 'requester', body: 'Yes, with three of them.' });
    await this.services.replies.addNote(this.ctx, talked, { body: 'Probably the dimmer; the supplier knows the problem.' });
    const waiting = await this.open('Yuki Watanabe', 'Chair without armrests', 'The armrests were missing in the box.', {
      assignee_id: mei,
    });
    await this.answer(waiting, 'We have ordered them from the supplier.', 'on_hold');
    await this.open('Clara Dupont', 'Discount for a school', 'We would need forty mugs.', {
      tags: ['sales'],
      snoozed_until_at: new Date(Date.now() + 72 * HOUR_MS).toISOString(),
    });
    const stays = await this.open('Milan Novák', 'Cannot sign in', 'My password is not accepted.', { priority: 'high', assignee_id: mei });
    const repeated = await this.open('Milan Novák', 'Sign-in still fails', 'I wrote already: I cannot sign in.');
    await this.services.updates.merge(this.ctx, repeated, stays);
    await this.open('Milan Novák', 'Login?', 'Third try. Please help.');
    await this.open('Ravi Menon', 'Gift wrapping', 'Can you wrap two mugs as a gift?', { priority: 'low' });
    for (const [name, subject, text, answer] of [
      ['Priya Raman', 'Return of a T-shirt', 'It is too small.', 'Send it back within 30 days; the label is in the box.'],
      ['Ingrid Halvorsen', 'Copy of an invoice', 'I need it for my tax return.', 'Here is a copy of it.'],
    ] as const) {
      const solved = await this.open(name, subject, text, { queue_id, assignee_id: mei });
      await this.answer(solved, answer, 'solved');
    }
    const closed = await this.open('Jonas Weber', 'Opening hours', 'When is your shop open?', { assignee_id: mei, priority: 'low' });
    await this.answer(closed, 'From Monday to Friday, 9 to 18.', 'solved');
    await this.services.updates.update(this.ctx, closed, { status_id: this.desk.statuses.closed });
  }

  private async open(name: string, subject: string, message: string, values: Partial<CreateTicketDto> = {}): Promise<string> {
    const [first] = name.split(' ');
    // a reserved domain, so that the demo never sends mail to a real person
    const email = `${first.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()}@customer.example`;
    const body = { project_id: this.projectId, subject, message, requester: { email, name }, notify: false, ...values };
    return (await this.services.tickets.create(this.ctx, body)).id;
  }

  private async answer(id: string, body: string, status?: StatusCategory): Promise<void> {
    await this.services.replies.reply(this.ctx, id, { body, status_id: status && this.desk.statuses[status] });
  }

  /** Backdates the ticket so that its first response was due an hour ago. */
  private async makeLate(id: string): Promise<void> {
    await this.services.store.write(this.ctx, async (tx) => {
      const ticket = await tx.lock(Ticket, id);
      const { first_response, ...clocks } = ticket.clocks;
      if (!first_response?.target_seconds) return;
      const due = new Date(tx.startedAt.getTime() - HOUR_MS);
      const running = new Date(due.getTime() - first_response.target_seconds * 1000);
      const late = { ...first_response, due_at: due.toISOString(), running_since_at: running.toISOString() };
      const changed = await tx.update(ticket, { clocks: { ...clocks, first_response: late }, breach_due_at: due, sla_due_at: due });
      await tx.sql(sql`UPDATE ${table(Ticket)} t SET created_at = ${running} WHERE ${own('t')} AND t.id = ${id}`);
      await this.services.changes.settle(tx, [changed]);
    });
  }
}

/** The service desk of the project OPS, and a little of ENG for its key. */
export const DESK_DEMO: ModuleDemo = {
  async seed(demo) {
    const agents = [demo.member('mei').id, demo.member('grace').id];
    const services = {
      store: demo.get(Store),
      tickets: demo.get(TicketsService),
      updates: demo.get(TicketUpdates),
      replies: demo.get(RepliesService),
      changes: demo.get(TicketChanges),
    };
    for (const { id, key } of demo.projects) {
      if (demo.isNew) await setUpDeskDemo(demo.get(DeskSetup), demo.as('grace', 'live'), id, agents);
      const desk = await deskOf(demo.get(Store), demo.get(DeskSetup), demo.asSystem(), id, agents);
      for (const mode of demo.modes) await seedDesk(services, demo.as('mei', mode), id, desk, key === 'OPS');
    }
  },
  addresses: [
    {
      name: 'mailbox',
      label: 'Mailbox',
      path: async (demo) => {
        const token = await renewDemoMailbox(demo.get(Store), demo.get(DeskSetup), demo.asSystem(), demo.project('OPS').id);
        return `/api/v1/public/desk/mail/${token}`;
      },
    },
  ],
};
