import type { Mode } from '../kit/index.js';
import {
  ContactsService,
  CrmConfig,
  CrmSetupService,
  DealsService,
  LeadConversionService,
  LeadsService,
  seedCrm,
  setUpCrmDemo,
} from '../modules/crm/crm.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

const LEAD_COUNT: Readonly<Record<Mode, number>> = { live: 9, test: 3 };

/** Seeds the CRM of the project OPS. */
export const seedCrmDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const project = projects.find(({ key }) => key === 'OPS') ?? projects[0];
  const sellers = members.filter(({ email }) => email === PEOPLE.grace.email || email === PEOPLE.mei.email);
  const services = {
    leads: app.get(LeadsService),
    conversions: app.get(LeadConversionService),
    contacts: app.get(ContactsService),
    deals: app.get(DealsService),
    config: app.get(CrmConfig),
  };
  await setUpCrmDemo(
    app.get(CrmSetupService),
    ctx.as(sellers[0], 'live'),
    project.id,
    sellers.map(({ id }) => id),
  );
  for (const mode of ['live', 'test'] as const) await seedCrm(services, ctx.as(sellers[0], mode), project.id, LEAD_COUNT[mode]);
  ctx.asSystem();
};
