import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AppConfig } from '../platform/config/settings.js';
import { BaseUrl } from '../platform/config/base-url.js';
import { MembersService } from '../platform/people/members/members.service.js';
import { systemContext } from '../platform/persistence/transactions/call-context.js';
import { ModuleRegistry } from '../platform/registry/module-registry.js';
import { seedAccountingDemo } from './accounting.js';
import { announceDemo, announceWithoutDemo } from './announcement.js';
import { seedCrmDemo } from './crm.js';
import { seedDeskDemo } from './desk.js';
import { DEMO_BOOKING_PAGE } from '../modules/schedule/schedule.public.js';
import { seedHrDemo } from './hr.js';
import { seedInventoryDemo } from './inventory.js';
import { mailboxPathOf, newMailboxPath } from './mailbox.js';
import { seedScheduleDemo } from './schedule.js';
import { demoFile, readDemoFile, writeDemoFile, type DemoFacts } from './demo-file.js';
import { documentSamples, seedDocuments, SUPPLIER_FORM } from './documents.js';
import { issueKeys } from './keys.js';
import { activeMembers, addMembers, newPassword } from './people.js';
import { inOneTransaction } from './seed-context.js';
import { seedStorefrontDemo } from './storefront.js';
import { seedTasks, type ModuleSeeder } from './tasks.js';
import { ECHO_PATH } from './echo-receiver.js';
import { pointWebhooksHere } from './webhooks.js';
import { activeProjects, addProjects, findOrCreateOrganization, hasProjects } from './workspace.js';

/** The modules' seeders in order; a seeder may rely on the data of those before it. */
const SEEDERS: readonly (readonly [module: string, seed: ModuleSeeder])[] = [
  ['tasks', seedTasks],
  ['crm', seedCrmDemo],
  ['schedule', seedScheduleDemo],
  ['inventory', seedInventoryDemo],
  ['storefront', seedStorefrontDemo],
  ['accounting', seedAccountingDemo],
  ['hr', seedHrDemo],
  ['desk', seedDeskDemo],
  ['documents', seedDocuments],
];

type Secrets = Pick<DemoFacts, 'members' | 'keys'> & { mailboxPath: string | null };

/** Creates the demo workspace at the first start on an empty database, and prints how to access it at every start. */
export async function prepareDemo(app: NestFastifyApplication, config: AppConfig): Promise<void> {
  const base_url = app.get(BaseUrl).value;
  const form_url = has(app, 'documents') ? `${base_url}/f/${SUPPLIER_FORM}` : null;
  const booking_url = has(app, 'schedule') ? `${base_url}/b/${DEMO_BOOKING_PAGE}` : null;
  const addresses = {
    base_url,
    docs_url: `${base_url}/docs`,
    mcp_url: `${base_url}/api/v1/ext/mcp`,
    webhooks_url: `${base_url}${ECHO_PATH}`,
    form_url,
    booking_url,
  };
  const password = newPassword();
  const organization_id = await findOrCreateOrganization(app, password);
  if (organization_id === null) return console.log(announceWithoutDemo(addresses));

  const ctx = systemContext(organization_id, 'live');
  const stored = readDemoFile(config.dataDir, organization_id);
  // before the seed, so that the endpoints receive its events
  await pointWebhooksHere(app, ctx, base_url);
  let remark: string | null = null;
  let secrets: Secrets;
  if (!(await hasProjects(app, ctx))) {
    secrets = await seed(app, organization_id, password);
  } else if (stored) {
    secrets = await completeKeys(app, organization_id, stored);
  } else {
    secrets = await replaceSecrets(app, organization_id, password);
    remark =
      `${demoFile(config.dataDir)} was missing or belongs to another database, ` +
      'so the demo members got a new password and new API keys were created.';
  }
  const { mailboxPath, members, keys } = secrets;
  const mailbox_url = mailboxPath === null ? null : base_url + mailboxPath;
  const samples = { documents: has(app, 'documents') ? await documentSamples(app, ctx) : {} };
  const projects = await activeProjects(app, ctx);
  const facts: DemoFacts = { ...addresses, mailbox_url, organization_id, projects, members, keys, samples };
  writeDemoFile(config.dataDir, facts);
  console.log(announceDemo(facts, config, remark));
}

/** Creates everything but the organization and its owner, which exist already. An interrupted seed runs again at the next start. */
function seed(app: NestFastifyApplication, organizationId: string, password: string): Promise<Secrets> {
  return inOneTransaction(app, organizationId, async (ctx) => {
    await addMembers(app, ctx, password);
    const members = await activeMembers(app, ctx);
    const owner = members.find(({ role }) => role === 'owner');
    // the owner may have the password of an earlier start that was interrupted
    if (owner) await app.get(MembersService).update(ctx, owner.id, { password });
    const projects = await addProjects(app, ctx);
    const keys = await issueKeys(app, ctx, projects, members, new Set());
    for (const [module, seedModule] of SEEDERS) if (has(app, module)) await seedModule(app, ctx, { projects, members });
    const mailboxPath = has(app, 'desk') ? await newMailboxPath(app, ctx, projects) : null;
    return { members: members.map(({ email, role }) => ({ email, password, role })), keys, mailboxPath };
  });
}

function has(app: NestFastifyApplication, module: string): boolean {
  return app.get(ModuleRegistry).manifests.some(({ name }) => name === module);
}

/** The stored secrets, plus those of modules that have been added since. */
function completeKeys(app: NestFastifyApplication, organizationId: string, { members, keys, mailbox_url }: DemoFacts): Promise<Secrets> {
  return inOneTransaction(app, organizationId, async (ctx) => {
    const [projects, people] = [await activeProjects(app, ctx), await activeMembers(app, ctx)];
    const added = await issueKeys(app, ctx, projects, people, new Set(keys.map(({ module }) => module)));
    const known = mailboxPathOf(mailbox_url);
    const mailboxPath = known === null && has(app, 'desk') ? await newMailboxPath(app, ctx, projects) : known;
    return { members, keys: [...keys, ...added], mailboxPath };
  });
}

/** New passwords and keys, if the stored secrets are lost. */
function replaceSecrets(app: NestFastifyApplication, organizationId: string, password: string): Promise<Secrets> {
  return inOneTransaction(app, organizationId, async (ctx) => {
    const [projects, people] = [await activeProjects(app, ctx), await activeMembers(app, ctx)];
    for (const { id } of people) await app.get(MembersService).update(ctx, id, { password });
    const keys = await issueKeys(app, ctx, projects, people, new Set());
    const mailboxPath = has(app, 'desk') ? await newMailboxPath(app, ctx, projects) : null;
    return { members: people.map(({ email, role }) => ({ email, password, role })), keys, mailboxPath };
  });
}
