import { randomBytes } from 'node:crypto';
import type { Mode, Project } from '../../src/kit/index.js';
import { systemContext, type CallContext } from '../../src/platform/persistence/transactions/call-context.js';
import { Client } from './client.js';
import type { KeyOptions } from './people.js';
import type { AppProcess } from './remote.js';

export const PASSWORD = 'correct horse battery staple';

export interface IssuedKey {
  id: string;
  secret: string;
  /** A client with this key. */
  client: Client;
}

/** Signs in and returns a client for the product plane. */
export async function signIn(url: string, credentials: { email: string; password: string }): Promise<Client> {
  const response = await new Client(url).post('/api/v1/org/session', credentials);
  if (response.status !== 200) throw new Error(`Signing in failed: ${response.text}`);
  const cookie = String(response.headers['set-cookie']).split(';')[0];
  return new Client(url, { cookie, 'x-csrf-token': response.body.csrf_token as string });
}

/** The organization of a test; it creates members and keys. */
export interface Workspace {
  organizationId: string;
  eng: Project;
  ops: Project;
  owner: { id: string; email: string };
  ctx(mode?: Mode): CallContext;
  key(options?: KeyOptions): Promise<IssuedKey>;
  member(role: string): Promise<{ id: string; email: string }>;
  /** Signs in and returns a client for the product plane. */
  signIn(email?: string): Promise<Client>;
}

export async function createWorkspace({ url, inside }: AppProcess): Promise<Workspace> {
  const people = inside<typeof import('./people.js')>('test/harness/people.ts');
  const tag = randomBytes(5).toString('hex');
  const email = `owner-${tag}@example.com`;
  const owner = { email, name: 'Olga Owner', password: PASSWORD };
  const { organizationId, ownerId, eng, ops } = await people.createOrganization(`Organization ${tag}`, owner);
  return {
    organizationId,
    eng,
    ops,
    ctx: (mode = 'live') => systemContext(organizationId, mode),
    owner: { id: ownerId, email },
    key: async (options = {}) => {
      const { id, secret } = await people.createKey(organizationId, `test ${tag}`, options);
      return { id, secret, client: new Client(url, { authorization: `Bearer ${secret}` }) };
    },
    member: async (role) => {
      const address = `${role}-${randomBytes(4).toString('hex')}@example.com`;
      const id = await people.createMember(organizationId, { email: address, name: `${role} member`, role, password: PASSWORD });
      return { id, email: address };
    },
    signIn: (address = email) => signIn(url, { email: address, password: PASSWORD }),
  };
}
