import { createHash, randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Ctx, DefaultRole, DemoMember, DemoPerson, Secret } from '../kit/index.js';
import { OrgMembersQuery } from '../platform/people/members/members.dto.js';
import { MembersService } from '../platform/people/members/members.service.js';

/** The members of the demo workspace, one per role; the owner is created with the organization. */
export const PEOPLE = {
  ada: { name: 'Ada Osei', email: 'ada@demo.example', role: 'owner' },
  grace: { name: 'Grace Lindqvist', email: 'grace@demo.example', role: 'admin' },
  liam: { name: 'Liam Ortega', email: 'liam@demo.example', role: 'developer' },
  mei: { name: 'Mei Tanaka', email: 'mei@demo.example', role: 'member' },
} as const satisfies Record<DemoPerson, { name: string; email: string; role: DefaultRole }>;

/** One password for all demo members: random, or derived from a seed. Not a constant: the database may be reachable from elsewhere. */
export function newPassword(seed?: Secret): string {
  const bytes = seed ? createHash('sha256').update(`${seed.reveal()} password`).digest().subarray(0, 9) : randomBytes(9);
  return `demo-${bytes.toString('base64url')}`;
}

export async function addMembers(app: INestApplicationContext, ctx: Ctx, password: string): Promise<void> {
  const { ada: _owner, ...others } = PEOPLE;
  for (const person of Object.values(others)) await app.get(MembersService).create(ctx, { ...person, password });
}

/** The active members among those that the demo created. */
export async function activeMembers(app: INestApplicationContext, ctx: Ctx): Promise<DemoMember[]> {
  const query = Object.assign(new OrgMembersQuery(), {
    limit: 100,
    status: ['active'],
    email: Object.values(PEOPLE).map(({ email }) => email),
  });
  const { data } = await app.get(MembersService).page(ctx, query);
  return data.map(({ id, email, role }) => ({ id, email, role }));
}
