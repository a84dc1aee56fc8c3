import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomBytes } from 'node:crypto';
import type { Mode, Project } from '../../src/kit/index.js';
import { ApiKeysService } from '../../src/platform/keys/api-keys.service.js';
import { MembersService } from '../../src/platform/people/members.service.js';
import { OrganizationsService } from '../../src/platform/people/organizations.service.js';
import { ProjectsService } from '../../src/platform/people/projects.service.js';
import { systemContext, type CallContext } from '../../src/platform/persistence/call-context.js';
import { ScopeCatalogue } from '../../src/platform/scopes/scope-catalogue.js';
import { Client } from './client.js';

export const PASSWORD = 'correct horse battery staple';

export interface KeyOptions {
  module?: string;
  mode?: Mode;
  /** All of the module's unless given. */
  scopes?: string[];
  project_id?: string;
  actor_user_id?: string;
  allowed_ips?: string[];
  rate_limit_per_minute?: number;
  expires_at?: string;
}

export interface IssuedKey {
  id: string;
  secret: string;
  /** Calls with this key. */
  client: Client;
}

/** One organisation of a test, and the people and keys it needs. */
export interface Workspace {
  organizationId: string;
  eng: Project;
  ops: Project;
  owner: { id: string; email: string };
  ctx(mode?: Mode): CallContext;
  key(options?: KeyOptions): Promise<IssuedKey>;
  member(role: string): Promise<{ id: string; email: string }>;
  /** Signs in and returns calls on the product plane. */
  signIn(email?: string): Promise<Client>;
}

export async function createWorkspace(app: NestFastifyApplication, url: string): Promise<Workspace> {
  const tag = randomBytes(5).toString('hex');
  const email = `owner-${tag}@example.com`;
  const { organization, owner } = await app
    .get(OrganizationsService)
    .create({ name: `Organisation ${tag}`, owner: { email, name: 'Olga Owner', password: PASSWORD } });
  const ctx = (mode: Mode = 'live') => systemContext(organization.id, mode);
  const projects = app.get(ProjectsService);
  const eng = await projects.create(ctx(), { key: 'ENG', name: 'Engineering' });
  const ops = await projects.create(ctx(), { key: 'OPS', name: 'Operations' });
  return {
    organizationId: organization.id,
    eng,
    ops,
    ctx,
    owner: { id: owner.id, email },
    key: async ({ module = app.get(ScopeCatalogue).modules()[0].name, mode = 'live', scopes, ...rest } = {}) => {
      const all = Object.keys(
        app
          .get(ScopeCatalogue)
          .modules()
          .find(({ name }) => name === module)?.scopes ?? {},
      );
      const { key, secret } = await app
        .get(ApiKeysService)
        .create(ctx(), { name: `test ${tag}`, module, mode, scopes: scopes ?? all, ...rest }, 'cli');
      return { id: key.id, secret, client: new Client(url, { authorization: `Bearer ${secret}` }) };
    },
    member: async (role) => {
      const address = `${role}-${randomBytes(4).toString('hex')}@example.com`;
      const member = await app.get(MembersService).create(ctx(), { email: address, name: `${role} member`, role, password: PASSWORD });
      return { id: member.id, email: address };
    },
    signIn: async (address = email) => {
      const answer = await new Client(url).post('/api/v1/org/session', { email: address, password: PASSWORD });
      if (answer.status !== 200) throw new Error(`Signing in failed: ${answer.text}`);
      const cookie = String(answer.headers['set-cookie']).split(';')[0];
      return new Client(url, { cookie, 'x-csrf-token': answer.body.csrf_token as string });
    },
  };
}
