import { Injectable, Optional } from '@nestjs/common';
import { own, sql, table, type Ctx, type Tx } from '../../../kit/index.js';
import { ContactsService, normalizeEmail } from '../../crm/crm.public.js';
import { Requester } from '../model/requester.entity.js';

/** Finds or creates the people who ask for help, by e-mail address. */
@Injectable()
export class RequestersService {
  constructor(@Optional() private readonly contacts?: ContactsService) {}

  async findOrCreate(
    ctx: Ctx,
    tx: Tx,
    projectId: string,
    given: { email: string; name?: string | null },
  ): Promise<Pick<Requester, 'id' | 'email' | 'name' | 'contact_id'>> {
    const email = emailOf(given.email);
    const known = await this.find(tx, projectId, email);
    if (known?.contact_id && (known.name || !given.name)) return known;
    const contactId = known?.contact_id ?? (await this.contacts?.idByEmail(tx, projectId, email)) ?? null;
    if (known) return this.completed(tx, known, given.name ?? null, contactId);
    // two mails of a new requester may arrive at the same time
    await tx.advanced.mutex(`desk requester ${projectId} ${ctx.mode} ${email}`);
    const meanwhile = await this.find(tx, projectId, email);
    return meanwhile ?? tx.insert(Requester, { project_id: projectId, email, name: given.name ?? null, contact_id: contactId });
  }

  private async find(tx: Tx, projectId: string, email: string): Promise<Requester | undefined> {
    const [found] = await tx.sql<Requester>(
      sql`SELECT r.id, r.email, r.name, r.contact_id FROM ${table(Requester)} r
        WHERE ${own('r')} AND r.project_id = ${projectId} AND r.email = ${email}`,
    );
    return found;
  }

  private async completed(tx: Tx, known: Requester, name: string | null, contactId: string | null): Promise<Requester> {
    if (contactId === known.contact_id && (known.name !== null || name === null)) return known;
    const row = await tx.lock(Requester, known.id);
    return tx.update(row, { name: row.name ?? name, contact_id: row.contact_id ?? contactId });
  }
}

/** An address as rows store it. */
export function emailOf(email: string): string {
  return normalizeEmail(email) as string;
}
