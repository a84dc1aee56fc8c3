import { DAY_MS, type Ctx, type Mode, type ModuleDemo } from '../../kit/index.js';
import { ContactsService } from './contacts/contacts.service.js';
import { stagesOf, requirePipeline, CrmConfig } from './config/crm-config.service.js';
import { CrmSetupService } from './setup/crm-setup.service.js';
import { DealsService } from './deals/deals.service.js';
import { LeadConversionService } from './leads/lead-conversion.service.js';
import { LeadsService } from './leads/leads.service.js';
import type { StageKind } from './pipelines/stage-kind.js';

/** The services that create the demo data. */
interface CrmSeeding {
  leads: LeadsService;
  conversions: LeadConversionService;
  contacts: ContactsService;
  deals: DealsService;
  config: CrmConfig;
}

const PEOPLE: readonly [name: string, company: string, title: string, phone: string | null][] = [
  ['Ingrid Halvorsen', 'Nordlys Outdoor', 'Head of Purchasing', '+47 22 12 34 56'],
  ['Tomás Ferreira', 'Casa Azul Hotels', 'Owner', '+351 21 123 4567'],
  ['Beatrix Kleinhans', 'Kleinhans Fahrradbau', 'Inhaberin', '030 901820'],
  ['Samuel Adeyemi', 'Brightside Logistics', 'Operations Manager', '+44 20 7946 0018'],
  ['Yuki Watanabe', 'Hoshi Ceramics', 'Buyer', null],
  ['Clara Dupont', 'Maison Dupont', 'Directrice', '+33 1 23 45 67 89'],
  ['Milan Novák', 'Horizont Sport', 'Category Manager', '+420 221 111 222'],
  ['Priya Raman', 'Lotus Retail', 'Chief Operating Officer', null],
  ['Jonas Weber', 'Alpenblick Gastronomie', 'Leiter Einkauf', '089 1234567'],
  ['Fatima El-Sayed', 'Oasis Interiors', 'Founder', '+971 4 123 4567'],
];

const DEALS: readonly [title: string, amount: number, status: StageKind, stage: number, closesIn: number | null, lostReason?: string][] = [
  ['Autumn assortment for 12 stores', 4_850_000, 'open', 2, 9],
  ['Framework agreement for spare parts', 1_200_000, 'open', 0, 30],
  ['Trial order', 89_900, 'won', 0, null],
  ['Yearly maintenance', 360_000, 'open', 1, 16],
  ['Gift boxes for customers', 215_000, 'lost', 0, null, 'Chose a competitor'],
];

/** Configures the CRM of a project: custom fields, a default country, and round-robin assignment of new leads. */
export async function setUpCrmDemo(setup: CrmSetupService, ctx: Ctx, project_id: string, memberIds: readonly string[]): Promise<void> {
  await setup.updateSettings(ctx, project_id, { default_country: 'DE' });
  await setup.createCustomField(ctx, { project_id, resource: 'lead', key: 'budget', label: 'Budget in euros', type: 'number' });
  await setup.createCustomField(ctx, {
    project_id,
    resource: 'lead',
    key: 'interests',
    label: 'Interests',
    type: 'multi_select',
    options: ['wholesale', 'repair', 'subscription'],
  });
  await setup.createCustomField(ctx, { project_id, resource: 'contact', key: 'budget', label: 'Budget in euros', type: 'number' });
  await setup.createCustomField(ctx, { project_id, resource: 'deal', key: 'stores', label: 'Number of stores', type: 'number' });
  await setup.createRule(ctx, { project_id, name: 'Round robin', assign: 'round_robin', member_ids: [...memberIds] });
}

/** Creates `count` leads, one of them converted, and a few contacts and deals. */
export async function seedCrm(
  { leads, conversions, contacts, deals, config }: CrmSeeding,
  ctx: Ctx,
  project_id: string,
  count: number,
): Promise<void> {
  const configured = await config.read(ctx, project_id);
  const [statuses, stages] = (['lead', 'deal'] as const).map((kind) =>
    stagesOf(configured, requirePipeline(configured, kind, undefined).id),
  );
  const { sources } = configured;
  const written: string[] = [];
  for (let number = 0; number < count; number++) {
    const [full_name, company_name, job_title, phone] = PEOPLE[number % PEOPLE.length];
    const lead = await leads.create(ctx, {
      project_id,
      full_name,
      company_name,
      job_title,
      phone,
      email: addressOf(full_name, company_name),
      source_id: sources[number % sources.length].id,
      status_id: statuses[number % 2].id,
      custom_fields: { budget: 5_000 * (number + 1), interests: number % 2 === 0 ? ['wholesale'] : ['repair', 'subscription'] },
      consent_email: number % 3 !== 2,
      consent_source: 'Contact form',
      ...(number % 2 === 0 ? { utm_source: 'newsletter', utm_campaign: 'autumn' } : {}),
    });
    written.push(lead.id);
  }
  const { contact } = await conversions.convert(ctx, written[0], {});
  const [full_name, company_name, job_title, phone] = PEOPLE[count % PEOPLE.length];
  const other = await contacts.create(ctx, {
    project_id,
    full_name,
    company_name,
    job_title,
    phone,
    email: addressOf(full_name, company_name),
  });
  for (const [number, [title, amount, status, stage, closesIn, lost_reason = null]] of DEALS.entries()) {
    await deals.create(ctx, {
      project_id,
      title,
      amount,
      currency: 'EUR',
      contact_ids: [number % 2 === 0 ? contact.id : other.id],
      owner_id: contact.owner_id,
      lost_reason,
      ...(status === 'open' ? { stage_id: stages[stage].id } : { status }),
      expected_close_on: closesIn === null ? null : new Date(Date.now() + closesIn * DAY_MS).toISOString().slice(0, 10),
      custom_fields: { stores: number + 1 },
    });
  }
}

/** An address in the reserved domain .example, so that the demo never sends mail to a real person. */
function addressOf(name: string, company: string): string {
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[^A-Za-z ]/g, '')
      .toLowerCase();
  return `${plain(name).split(' ')[0]}@${plain(company).replaceAll(' ', '-')}.example`;
}

const LEAD_COUNT: Readonly<Record<Mode, number>> = { live: 9, test: 3 };

/** The CRM of the project OPS. */
export const CRM_DEMO: ModuleDemo = {
  async seed(demo) {
    const project = demo.project('OPS');
    const services = {
      leads: demo.get(LeadsService),
      conversions: demo.get(LeadConversionService),
      contacts: demo.get(ContactsService),
      deals: demo.get(DealsService),
      config: demo.get(CrmConfig),
    };
    const sellers = [...new Set([demo.member('grace').id, demo.member('mei').id])];
    if (demo.isNew) await setUpCrmDemo(demo.get(CrmSetupService), demo.as('grace', 'live'), project.id, sellers);
    for (const mode of demo.modes) await seedCrm(services, demo.as('grace', mode), project.id, LEAD_COUNT[mode]);
  },
};
