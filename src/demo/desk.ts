import {
  DeskSetup,
  RepliesService,
  seedDesk,
  setUpDeskDemo,
  TicketChanges,
  TicketsService,
  TicketUpdates,
} from '../modules/desk/desk.public.js';
import { Store } from '../kit/index.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

/** Seeds the service desk of the project OPS, and a little of ENG for its key. */
export const seedDeskDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const agents = [PEOPLE.mei.email, PEOPLE.grace.email].map((email) => members.find((member) => member.email === email) ?? members[0]);
  const services = {
    store: app.get(Store),
    tickets: app.get(TicketsService),
    updates: app.get(TicketUpdates),
    replies: app.get(RepliesService),
    changes: app.get(TicketChanges),
  };
  for (const { id, key } of projects) {
    const desk = await setUpDeskDemo(
      app.get(DeskSetup),
      ctx.as(agents[1], 'live'),
      id,
      agents.map((member) => member.id),
    );
    for (const mode of ['live', 'test'] as const) await seedDesk(services, ctx.as(agents[0], mode), id, desk, key === 'OPS');
  }
  ctx.asSystem();
};
