import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Store } from '../kit/index.js';
import type { AppConfig } from '../platform/config/settings.js';
import { BaseUrl } from '../platform/config/base-url.js';
import { MembersService } from '../platform/people/members.service.js';
import { systemContext } from '../platform/persistence/call-context.js';
import type { PgStore } from '../platform/persistence/pg-store.js';
import { ModuleRegistry } from '../platform/registry/module-registry.js';
import { announceDemo, announceForeign } from './announcement.js';
import { seedCrmPart } from './crm.js';
import { demoFile, readDemoFile, writeDemoFile, type DemoFacts } from './demo-file.js';
import { documentSamples, seedDocuments, SUPPLIER_FORM } from './documents.js';
import { issueKeys } from './keys.js';
import { activeMembers, addMembers, newPassword } from './people.js';
import { inOneTransaction } from './seed-context.js';
import { seedTasks, type DemoPart } from './tasks.js';
import { ECHO_PATH } from './echo-receiver.js';
import { pointWebhooksHere } from './webhooks.js';
import { activeProjects, addProjects, findOrCreateOrganization, hasProjects } from './workspace.js';

/** What each module has to show, in order; a part may use what those before it made. */
const PARTS: readonly (readonly [module: string, seed: DemoPart])[] = [
  ['tasks', seedTasks],
  ['crm', seedCrmPart],
  ['documents', seedDocuments],
];

type Secrets = Pick<DemoFacts, 'members' | 'keys'>;

/** At the first start on an empty database makes a workspace to try things in; at every start says how to reach it. */
export async function prepareDemo(app: NestFastifyApplication, config: AppConfig): Promise<void> {
  const base_url = app.get(BaseUrl).value;
  const form_url = has(app, 'documents') ? `${base_url}/f/${SUPPLIER_FORM}` : null;
  const addresses = {
    base_url,
    docs_url: `${base_url}/docs`,
    mcp_url: `${base_url}/api/v1/ext/mcp`,
    webhooks_url: `${base_url}${ECHO_PATH}`,
    form_url,
  };
  const password = newPassword();
  const organization_id = await findOrCreateOrganization(app, password);
  if (organization_id === null) return console.log(announceForeign(addresses));

  const ctx = systemContext(organization_id, 'live');
  const kept = readDemoFile(config.dataDir, organization_id);
  // before the samples, so that their events are the first to arrive
  await pointWebhooksHere(app, ctx, base_url);
  let remark: string | null = null;
  let secrets: Secrets;
  if (!(await hasProjects(app, ctx))) {
    secrets = await seed(app, organization_id, password);
  } else if (kept) {
    secrets = await completeKeys(app, organization_id, kept);
  } else {
    secrets = await replaceSecrets(app, organization_id, password);
    remark = `${demoFile(config.dataDir)} was missing or not of this database, so the demo's members have a new password and there are new keys.`;
  }
  const samples = { documents: has(app, 'documents') ? await documentSamples(app, ctx) : {} };
  const facts: DemoFacts = { ...addresses, organization_id, projects: await activeProjects(app, ctx), ...secrets, samples };
  writeDemoFile(config.dataDir, facts);
  console.log(announceDemo(facts, config, remark));
}

/** All but the organisation with its owner, which stands before; an interrupted seed is simply done again. */
function seed(app: NestFastifyApplication, organizationId: string, password: string): Promise<Secrets> {
  return inOneTransaction(app.get<PgStore>(Store), organizationId, async (ctx) => {
    await addMembers(app, ctx, password);
    const members = await activeMembers(app, ctx);
    const owner = members.find(({ role }) => role === 'owner');
    // its password is that of this start, also where an earlier one was interrupted
    if (owner) await app.get(MembersService).update(ctx, owner.id, { password });
    const projects = await addProjects(app, ctx);
    const keys = await issueKeys(app, ctx, projects, members, new Set());
    for (const [module, seedPart] of PARTS) if (has(app, module)) await seedPart(app, ctx, { projects, members });
    return { members: members.map(({ email, role }) => ({ email, password, role })), keys };
  });
}

function has(app: NestFastifyApplication, module: string): boolean {
  return app.get(ModuleRegistry).manifests.some(({ name }) => name === module);
}

/** What the file says, and keys for modules that were added since. */
function completeKeys(app: NestFastifyApplication, organizationId: string, { members, keys }: Secrets): Promise<Secrets> {
  return inOneTransaction(app.get<PgStore>(Store), organizationId, async (ctx) => {
    const [projects, people] = [await activeProjects(app, ctx), await activeMembers(app, ctx)];
    return { members, keys: [...keys, ...(await issueKeys(app, ctx, projects, people, new Set(keys.map(({ module }) => module))))] };
  });
}

function replaceSecrets(app: NestFastifyApplication, organizationId: string, password: string): Promise<Secrets> {
  return inOneTransaction(app.get<PgStore>(Store), organizationId, async (ctx) => {
    const [projects, people] = [await activeProjects(app, ctx), await activeMembers(app, ctx)];
    for (const { id } of people) await app.get(MembersService).update(ctx, id, { password });
    const keys = await issueKeys(app, ctx, projects, people, new Set());
    return { members: people.map(({ email, role }) => ({ email, password, role })), keys };
  });
}
