import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Secret } from '../kit/index.js';
import { BaseUrl } from '../platform/config/base-url.js';
import type { AppConfig } from '../platform/config/settings.js';
import { MembersService } from '../platform/people/members/members.service.js';
import { ModuleRegistry } from '../platform/registry/module-registry.js';
import { SampleIdsSource } from '../platform/docs/reference/sample-ids.js';
import { systemContext } from '../platform/persistence/transactions/call-context.js';
import { announceDemo, announceInOneLine, announceWithoutDemo } from './announcement.js';
import { demoFile, readDemoFile, seededAt, writeDemoFile, type DemoFacts } from './demo-file.js';
import { ECHO_PATH } from './echo-receiver.js';
import { addNewScopes, issueKeys, modulesWithKeys } from './keys.js';
import { demoModules, inSeedOrder, noteWorkspace, seedMissingParts, seedPart } from './module-parts.js';
import { addMembers, newPassword } from './people.js';
import { findSampleIds } from './sample-ids.js';
import { inOneTransaction, SeedWorkspace } from './seed-context.js';
import { pointWebhooksHere } from './webhooks.js';
import { addProjects, findOrCreateOrganization, hasProjects } from './workspace.js';

type Secrets = Pick<DemoFacts, 'members' | 'keys' | 'left_out_keys'>;

/**
 * Creates the demo workspace at the first start on an empty database, and prints how to access it at every start. Returns the facts of
 * a workspace that it created.
 */
export async function prepareDemo(app: NestFastifyApplication, config: AppConfig): Promise<DemoFacts | null> {
  const base_url = app.get(BaseUrl).value;
  const addresses = {
    base_url,
    docs_url: `${base_url}/docs`,
    mcp_url: `${base_url}/api/v1/ext/mcp`,
    webhooks_url: `${base_url}${ECHO_PATH}`,
  };
  const isShort = config.demoBanner === 'line';
  const password = newPassword(config.demoSecretSeed);
  const organization_id = await findOrCreateOrganization(app, password);
  if (organization_id === null) {
    console.log(isShort ? announceInOneLine(addresses, []) : announceWithoutDemo(addresses));
    return null;
  }

  const ctx = systemContext(organization_id, 'live');
  const stored = readDemoFile(config.dataDir, organization_id);
  // before the seed, so that the endpoints receive its events
  await pointWebhooksHere(app, ctx, base_url);
  const remarks: string[] = [];
  let secrets: Secrets;
  const isNew = !(await hasProjects(app, ctx));
  if (isNew) secrets = await seed(app, organization_id, password, config.demoSecretSeed);
  else {
    remarks.push(...(await seedMissingParts(app, organization_id, await modulesWithKeys(app, ctx), config.demoSecretSeed)));
    if (stored) secrets = await completeKeys(app, organization_id, stored, config.demoSecretSeed);
    else {
      secrets = await replaceSecrets(app, organization_id, password);
      remarks.push(
        `${demoFile(config.dataDir)} was missing or belongs to another database, ` +
          'so the demo members got a new password and new API keys were created.',
      );
    }
  }
  const parts = await describeParts(app, organization_id, base_url, stored);
  const facts: DemoFacts = { ...addresses, ...parts.urls, organization_id, projects: parts.projects, ...secrets, samples: parts.samples };
  writeDemoFile(config.dataDir, facts);
  app.get(SampleIdsSource).offer({ find: () => findSampleIds(app, facts), version: () => seededAt(config.dataDir) });
  console.log(isShort ? announceInOneLine(facts, remarks) : announceDemo(facts, demoModules(app), config, remarks));
  return isNew ? facts : null;
}

/** Creates everything but the organization and its owner, which exist already. An interrupted seed runs again at the next start. */
function seed(app: NestFastifyApplication, organizationId: string, password: string, fixed?: Secret): Promise<Secrets> {
  return inOneTransaction(
    app,
    organizationId,
    async (ctx) => {
      await addMembers(app, ctx, password);
      await addProjects(app, ctx);
      const workspace = await SeedWorkspace.of(app, ctx);
      const { projects, members } = workspace;
      const owner = members.find(({ role }) => role === 'owner');
      // the owner may have the password of an earlier start that was interrupted
      if (owner) await app.get(MembersService).update(ctx, owner.id, { password });
      const keys = await issueKeys(app, ctx, projects, members, new Set(), fixed);
      await noteWorkspace(app, ctx);
      for (const module of inSeedOrder(demoModules(app))) await seedPart(app, workspace, module);
      return { members: members.map(({ email, role }) => ({ email, password, role })), keys };
    },
    fixed,
  );
}

/**
 * The stored secrets, which get scopes that modules have added since, plus those of added modules. A key of a module that is left
 * out reaches nothing.
 */
function completeKeys(
  app: NestFastifyApplication,
  organizationId: string,
  { members, keys, left_out_keys = [] }: DemoFacts,
  fixed?: Secret,
): Promise<Secrets> {
  return inOneTransaction(app, organizationId, async (ctx) => {
    const { projects, members: people } = await SeedWorkspace.of(app, ctx);
    const stored = [...keys, ...left_out_keys];
    const added = await issueKeys(app, ctx, projects, people, new Set(stored.map(({ module }) => module)), fixed);
    await addNewScopes(app, ctx, stored, projects, people);
    const modules = new Set(app.get(ModuleRegistry).manifests.map(({ name }) => name));
    const leftOut = stored.filter(({ module }) => !modules.has(module));
    return {
      members,
      keys: [...stored.filter(({ module }) => modules.has(module)), ...added],
      ...(leftOut.length > 0 ? { left_out_keys: leftOut } : {}),
    };
  });
}

/** New passwords and keys, if the stored secrets are lost. */
function replaceSecrets(app: NestFastifyApplication, organizationId: string, password: string): Promise<Secrets> {
  return inOneTransaction(app, organizationId, async (ctx) => {
    const { projects, members } = await SeedWorkspace.of(app, ctx);
    for (const { id } of members) await app.get(MembersService).update(ctx, id, { password });
    const keys = await issueKeys(app, ctx, projects, members, new Set());
    return { members: members.map(({ email, role }) => ({ email, password, role })), keys };
  });
}

/** The modules' addresses and samples. Paths with secrets are those of the file, whatever host it names, or new. */
function describeParts(app: NestFastifyApplication, organizationId: string, baseUrl: string, stored: DemoFacts | null) {
  return inOneTransaction(app, organizationId, async (ctx) => {
    const workspace = await SeedWorkspace.of(app, ctx);
    const urls: Record<`${string}_url`, string> = {};
    const samples: DemoFacts['samples'] = {};
    for (const { name: module, demo } of demoModules(app)) {
      for (const { name, path } of demo.addresses ?? []) {
        const known = stored?.[`${name}_url`];
        urls[`${name}_url`] = baseUrl + (typeof path === 'string' ? path : known ? new URL(known).pathname : await path(workspace));
      }
      if (demo.samples) samples[module] = await demo.samples(workspace);
    }
    return { urls, samples, projects: [...workspace.projects] };
  });
}
