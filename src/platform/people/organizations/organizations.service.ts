import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Store } from '../../../kit/index.js';
import { systemContext } from '../../persistence/transactions/call-context.js';
import { Member } from '../model/member.entity.js';
import { normalizeEmail } from '../model/member.dto.js';
import { Organization } from '../model/organization.entity.js';
import { hashPassword } from '../model/passwords.js';
import { Role } from '../model/role.entity.js';
import { ROLES } from '../model/roles.js';

interface NewOrganization {
  name: string;
  owner: { email: string; name: string; password: string };
}

interface CreatedOrganization {
  organization: Organization;
  owner: Member;
}

@Injectable()
export class OrganizationsService {
  constructor(private readonly store: Store) {}

  /** Creates an organization with its roles and its first owner in one transaction. */
  async create({ name, owner }: NewOrganization): Promise<CreatedOrganization> {
    const password_hash = await hashPassword(owner.password);
    const id = uuidv7();
    return this.store.write(systemContext(id, 'live'), async (tx) => {
      const now = new Date();
      const organization = Object.assign(new Organization(), { id, name, version: 1, created_at: now, updated_at: now });
      await tx.query('INSERT INTO organizations (id, name, created_at, updated_at) VALUES ($1, $2, $3, $3)', [id, name, now]);
      const roles = new Map<string, Role>();
      for (const [role, permissions] of Object.entries(ROLES))
        roles.set(role, await tx.insert(Role, { name: role, permissions: [...permissions] }));
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
