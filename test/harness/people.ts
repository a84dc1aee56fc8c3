import { ConsoleLogger, Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import passport from 'passport';
import { ApiKeysService } from '../../src/platform/keys/api-keys.service.js';
import { MembersService } from '../../src/platform/people/members/members.service.js';
import { OrganizationsService } from '../../src/platform/people/organizations/organizations.service.js';
import { ProjectsService } from '../../src/platform/people/projects/projects.service.js';
import { EmailPasswordStrategy } from '../../src/platform/people/sessions/sign-in.js';
import { PermissionRegistry } from '../../src/platform/registry/permission-registry.js';
import { systemContext } from '../../src/platform/persistence/transactions/call-context.js';
import { Members, sql, Store, type Mode } from '../../src/kit/index.js';
import { ScopeCatalog } from '../../src/platform/keys/scope-catalog.js';

// What workspace.ts does with an application, in the application's process.

export interface KeyOptions {
  module?: string;
  mode?: Mode;
  /** All scopes of the module by default. */
  scopes?: string[];
  project_id?: string;
  actor_user_id?: string;
  allowed_ips?: string[];
  rate_limit_per_minute?: number;
  requires_plan?: boolean;
  expires_at?: string;
}

/** Passport's strategies and Nest's logger are those of the process's newest application: this brings an older one's back. */
export function restoreGlobals(app: NestFastifyApplication): void {
  passport.use('email-password', app.get(EmailPasswordStrategy));
  Logger.overrideLogger(new ConsoleLogger({ logLevels: ['fatal'] }));
}

export async function createOrganization(
  app: Pick<NestFastifyApplication, 'get'>,
  name: string,
  owner: { email: string; name: string; password: string },
) {
  const created = await app.get(OrganizationsService).create({ name, owner });
  const ctx = systemContext(created.organization.id, 'live');
  const projects = app.get(ProjectsService);
  const eng = await projects.create(ctx, { key: 'ENG', name: 'Engineering' });
  const ops = await projects.create(ctx, { key: 'OPS', name: 'Operations' });
  return { organizationId: created.organization.id, ownerId: created.owner.id, eng, ops };
}

export async function createMember(
  app: NestFastifyApplication,
  organizationId: string,
  member: { email: string; name: string; role: string; password: string },
): Promise<string> {
  return (await app.get(MembersService).create(systemContext(organizationId, 'live'), member)).id;
}

export async function createKey(app: NestFastifyApplication, organizationId: string, name: string, options: KeyOptions) {
  const modules = app.get(ScopeCatalog).modules();
  const { module = modules[0].name, mode = 'live', scopes, ...rest } = options;
  const all = Object.keys(modules.find((candidate) => candidate.name === module)?.scopes ?? {});
  const { key, secret } = await app
    .get(ApiKeysService)
    .create(systemContext(organizationId, 'live'), { name, module, mode, scopes: scopes ?? all, ...rest }, 'cli');
  return { id: key.id, secret };
}

/** The permissions of the default roles as the manifests declare them. */
export function defaultRoles(app: NestFastifyApplication): Record<string, readonly string[]> {
  return Object.fromEntries(app.get(PermissionRegistry).defaults);
}

/** The ids of the owners as a number of transactions at once find them. */
export function findOwnersInTransactions(app: NestFastifyApplication, organizationId: string, transactions: number): Promise<string[][]> {
  const finding = Array.from({ length: transactions }, () => {
    const ctx = systemContext(organizationId, 'live');
    return app.get(Store).write(ctx, async (tx) => {
      await tx.sql(sql`SELECT pg_sleep(0.05)`);
      return (await app.get(Members).withPermission(ctx, 'org.owners.manage')).map(({ id }) => id);
    });
  });
  return Promise.all(finding);
}
