import { Injectable } from '@nestjs/common';
import { Members, Store, type Condition, type Ctx, type ListQuery, type Member as MemberView, type Page } from '../../../kit/index.js';
import type { MemberColumns } from '../../../kit/internal.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import type { Queryable } from '../../persistence/rows/queryable.js';
import { Member } from '../model/member.entity.js';
import { normalizeEmail } from '../model/member.dto.js';
import { Role } from '../model/role.entity.js';

/** Implements the kit's `Members`. Inactive members are included: records that are assigned to them must still show a name. */
@Injectable()
export class MemberDirectory extends Members {
  /** The roles as each transaction has read them, because one change looks up several members. */
  private readonly rolesRead = new WeakMap<Queryable, Promise<Role[]>>();
  /** The same for members: a change checks who may decide, and then shows their names. */
  private readonly membersRead = new WeakMap<Queryable, Map<string, MemberView>>();

  constructor(private readonly store: Store) {
    super();
  }

  async list(ctx: Ctx): Promise<MemberView[]> {
    return this.views(ctx, this.store.list(ctx, Member));
  }

  async page(ctx: Ctx, query: ListQuery, ...conditions: Condition<MemberColumns>[]): Promise<Page<MemberView>> {
    const page = this.store.page(ctx, Member, query, ...conditions);
    const data = await this.views(
      ctx,
      page.then((found) => found.data),
    );
    return { ...(await page), data };
  }

  async byIds(ctx: Ctx, ids: readonly string[]): Promise<MemberView[]> {
    const known = this.knownMembers(ctx);
    // in the order of the store
    if (ids.every((id) => known.has(id))) return [...new Set(ids)].sort().map((id) => known.get(id) as MemberView);
    return this.remember(known, await this.views(ctx, this.store.list(ctx, Member, { id: [...ids] })));
  }

  async byEmail(ctx: Ctx, email: string): Promise<MemberView | null> {
    const known = this.knownMembers(ctx);
    const found = await this.views(ctx, this.store.list(ctx, Member, { email: normalizeEmail(email), status: 'active' }));
    return this.remember(known, found)[0] ?? null;
  }

  async roles(ctx: Ctx): Promise<string[]> {
    return (await this.rolesOf(ctx)).map(({ name }) => name);
  }

  async rolesWith(ctx: Ctx, permission: string): Promise<string[]> {
    return (await this.store.list(ctx, Role)).filter(({ permissions }) => permissions.includes(permission)).map(({ name }) => name);
  }

  withRole(ctx: Ctx, role: string): Promise<MemberView[]> {
    return this.activeWith(ctx, ({ name }) => name === role);
  }

  withPermission(ctx: Ctx, permission: string): Promise<MemberView[]> {
    return this.activeWith(ctx, ({ permissions }) => permissions.includes(permission));
  }

  private async activeWith(ctx: Ctx, wanted: (role: Role) => boolean): Promise<MemberView[]> {
    const roles = (await this.rolesOf(ctx)).filter(wanted);
    if (roles.length === 0) return [];
    const members = await this.store.list(ctx, Member, { role_id: roles.map(({ id }) => id), status: 'active' });
    return members.map((member) => toView(member, roles));
  }

  private knownMembers(ctx: Ctx): Map<string, MemberView> {
    const transaction = (ctx as CallContext).owner.unitOfWork?.connection;
    let known = transaction && this.membersRead.get(transaction);
    if (!known) {
      known = new Map();
      if (transaction) this.membersRead.set(transaction, known);
    }
    return known;
  }

  private remember(known: Map<string, MemberView>, members: MemberView[]): MemberView[] {
    for (const member of members) known.set(member.id, member);
    return members;
  }

  private rolesOf(ctx: Ctx): Promise<Role[]> {
    const transaction = (ctx as CallContext).owner.unitOfWork?.connection;
    if (!transaction) return this.store.list(ctx, Role);
    let roles = this.rolesRead.get(transaction);
    if (!roles) this.rolesRead.set(transaction, (roles = this.store.list(ctx, Role)));
    return roles;
  }

  private async views(ctx: Ctx, reading: Promise<Member[]>): Promise<MemberView[]> {
    const [members, roles] = await Promise.all([reading, this.rolesOf(ctx)]);
    return members.map((member) => toView(member, roles));
  }
}

function toView({ id, email, name, status, role_id, manager_id }: Member, roles: readonly Role[]): MemberView {
  const role = roles.find((one) => one.id === role_id);
  return { id, email, name, status, role: role?.name ?? '', permissions: role?.permissions ?? [], manager_id };
}
