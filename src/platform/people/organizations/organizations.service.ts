import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { KeyChanges } from '../../key-changes/key-changes.js';
import { poolOf } from '../../persistence/database/pool.js';
import { run } from '../../persistence/rows/reader.js';
import { requireVersion, systemContext } from '../../persistence/transactions/call-context.js';
import { Member } from '../model/member.entity.js';
import { normalizeEmail } from '../model/member.dto.js';
import { Organization } from '../model/organization.entity.js';
import { hashPassword } from '../model/passwords.js';
import { Role } from '../model/role.entity.js';
import { DefaultPermissions } from '../roles/default-permissions.js';
import type { UpdateOrganizationDto } from './organization.dto.js';

interface NewOrganization {
  name: string;
  owner: { email: string; name: string; password: string };
}

interface CreatedOrganization {
  organization: Organization;
  owner: Member;
}

const READ = 'SELECT * FROM organizations WHERE id = $1';

const OBJECT = { objectType: 'organization' };

@Injectable()
export class OrganizationsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly keyChanges: KeyChanges,
    private readonly defaults: DefaultPermissions,
  ) {}

  async get({ organizationId }: Ctx): Promise<Organization> {
    const { rows } = await run<Organization>(poolOf(this.dataSource), { text: READ, values: [organizationId] });
    return rows[0];
  }

  update(ctx: Ctx, { name, requires_second_factor, kept_bodies }: UpdateOrganizationDto): Promise<Organization> {
    return this.store.write(ctx, async (tx) => {
      const [before] = await tx.sql<Organization>(platformSql(`${READ} FOR NO KEY UPDATE`, [ctx.organizationId]));
      requireVersion(ctx, before.version);
      if (requires_second_factor === true) await requireOwnSecondFactor(ctx, tx);
      // cached keys contain which bodies are kept
      if (kept_bodies !== undefined) await this.keyChanges.announce(tx, ctx.organizationId);
      await tx.sql(
        platformSql(
          `UPDATE organizations SET name = coalesce($2, name), requires_second_factor = coalesce($3, requires_second_factor),
           kept_bodies = coalesce($4, kept_bodies),
           version = version + 1, updated_at = now()
         WHERE id = $1 
           AND (name, requires_second_factor, kept_bodies)
             IS DISTINCT FROM (coalesce($2, name), coalesce($3, requires_second_factor), coalesce($4, kept_bodies))`,
          [ctx.organizationId, name ?? null, requires_second_factor ?? null, kept_bodies ?? null],
        ),
      );
      const after = (await tx.sql<Organization>(platformSql(READ, [ctx.organizationId])))[0];
      if (after.version !== before.version)
        tx.advanced.audit({ ...OBJECT, objectId: before.id, action: 'updated', before: settingsOf(before), after: settingsOf(after) });
      return after;
    });
  }

  /** Creates an organization with its roles and its first owner in one transaction. */
  async create({ name, owner }: NewOrganization): Promise<CreatedOrganization> {
    const password_hash = await hashPassword(owner.password);
    const id = uuidv7();
    return this.store.write(systemContext(id, 'live'), async (tx) => {
      const now = new Date();
      const organization = Object.assign(new Organization(), {
        id,
        name,
        requires_second_factor: false,
        kept_bodies: 'errors' as const,
        closed_at: null,
        erase_at: null,
        closed_by: null,
        version: 1,
        created_at: now,
        updated_at: now,
      });
      await tx.sql(platformSql('INSERT INTO organizations (id, name, created_at, updated_at) VALUES ($1, $2, $3, $3)', [id, name, now]));
      tx.advanced.audit({ ...OBJECT, objectId: id, action: 'created', after: settingsOf(organization) });
      const roles = new Map<string, Role>();
      for (const [role, permissions] of await this.defaults.ofNewOrganization(tx))
        roles.set(role, await tx.insert(Role, { name: role, permissions, built_in: true }));
      const role_id = (roles.get('owner') as Role).id;
      const first = await tx.insert(Member, {
        email: normalizeEmail(owner.email),
        name: owner.name,
        role_id,
        password_hash,
        status: 'active',
      });
      return { organization, owner: first };
    });
  }
}

/** Whoever requires a second factor of others must not lock themselves out with it. */
async function requireOwnSecondFactor({ memberId }: Ctx, tx: Tx): Promise<void> {
  if (memberId === null || (await tx.get(Member, memberId)).second_factor_at !== null) return;
  throw CommonErrors.resourceConflict({
    param: 'requires_second_factor',
    message: 'Set up a second factor of your own before you require it of others.',
  });
}

/** What members see of it in the audit log. */
function settingsOf({ name, requires_second_factor, kept_bodies }: Organization): object {
  return { name, requires_second_factor, kept_bodies };
}
