import { Injectable, Optional } from '@nestjs/common';
import { changedFrom, own, sql, Store, table, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { ContactsService, normalizeEmail } from '../../crm/crm.public.js';
import { Requester } from '../model/requester.entity.js';
import { RequesterEvents } from './requesters.events.js';
import { RequesterDto, type RequestersQuery, type UpdateRequesterDto } from './requesters.dto.js';

/** The people who ask for help. A ticket finds or creates its requester by the e-mail address. */
@Injectable()
export class RequestersService {
  constructor(
    private readonly store: Store,
    @Optional() private readonly contacts?: ContactsService,
  ) {}

  page(ctx: Ctx, query: RequestersQuery): Promise<Page<Requester>> {
    const { email } = query;
    return this.store.page(ctx, Requester, query, ...(email === undefined ? [] : [sql`t.email = ANY(${email.map(emailOf)})`]));
  }

  get(ctx: Ctx, id: string): Promise<Requester> {
    return this.store.get(ctx, Requester, id);
  }

  update(ctx: Ctx, id: string, { name, custom_fields }: UpdateRequesterDto): Promise<Requester> {
    return this.store.write(ctx, async (tx) => {
      const before = await tx.target(Requester, id);
      return this.change(tx, before, { name, custom_fields: await tx.customFields.ofChanged(before, custom_fields) });
    });
  }

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
    if (meanwhile) return meanwhile;
    // who writes a mail fills in no fields
    const custom_fields = await tx.customFields.ofNew(Requester, undefined, { projectId, isComplete: false });
    return tx.insert(Requester, { project_id: projectId, email, name: given.name ?? null, contact_id: contactId, custom_fields });
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
    return this.change(tx, row, { name: row.name ?? name, contact_id: row.contact_id ?? contactId });
  }

  private async change(tx: Tx, before: Requester, changes: Partial<Requester>): Promise<Requester> {
    const after = await tx.update(before, changes);
    if (after.version === before.version) return after;
    const object = RequesterDto.from(after);
    tx.emit(RequesterEvents.requesterUpdated, {
      object,
      previous: changedFrom(RequesterDto.from(before), object),
      projectId: after.project_id,
    });
    return after;
  }
}

/** An address as rows store it. */
export function emailOf(email: string): string {
  return normalizeEmail(email) as string;
}
