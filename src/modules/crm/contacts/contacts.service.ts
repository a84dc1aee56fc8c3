import { Injectable } from '@nestjs/common';
import { activeMembersOf, own, Projects, sql, Store, table, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { recordConsent } from '../person/record-consent.js';
import { Contact } from './contact.entity.js';
import { ContactDto, type ContactsQuery, type CreateContactDto, type UpdateContactDto } from './contacts.dto.js';
import { ContactEvents } from './contacts.events.js';
import { CrmConfig } from '../config/crm-config.service.js';
import { CrmNames } from '../config/crm-names.service.js';
import { changedName, nameOf, normalizeEmail, requireName } from '../person/person-identity.js';
import type { Person } from '../person/person.entity.js';
import { changedPerson, newPerson } from '../person/person-values.js';

/** Reads and changes contacts. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: CrmConfig,
    private readonly names: CrmNames,
  ) {}

  get(ctx: Ctx, id: string): Promise<Contact> {
    return this.store.get(ctx, Contact, id);
  }

  page(ctx: Ctx, query: ContactsQuery): Promise<Page<Contact>> {
    const { email } = query;
    return this.store.page(ctx, Contact, query, { email_normalized: email === undefined ? undefined : normalizeEmail(email) });
  }

  async create(ctx: Ctx, { project_id, ...input }: CreateContactDto): Promise<Contact> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.write(ctx, async (tx) => {
      const name = requireName(nameOf(input), null);
      const values = await this.config.decide(tx, project.id, (config) => newPerson(ctx, config, input));
      const custom_fields = await tx.customFields.ofNew(Contact, input.custom_fields, { projectId: project.id });
      const ofProject = { project_id: project.id, owner_id: input.owner_id ?? null };
      const contact = await tx.insert(Contact, { ...name, ...values, custom_fields, ...ofProject });
      await recordConsent(ctx, tx, { resource: 'contact', id: contact.id, project_id: project.id }, input, true);
      return this.created(ctx, tx, contact);
    });
  }

  update(ctx: Ctx, id: string, input: UpdateContactDto): Promise<Contact> {
    return this.store.write(ctx, async (tx) => {
      const contact = await tx.target(Contact, id);
      const name = requireName(changedName(contact, input), contact);
      const changes = await this.config.decide(tx, contact.project_id, (config) => changedPerson(config, contact, input));
      changes.custom_fields = await tx.customFields.ofChanged(contact, input.custom_fields);
      const changed = await tx.update(contact, { ...name, ...changes });
      await recordConsent(ctx, tx, { resource: 'contact', id, project_id: contact.project_id }, input, true);
      if (changed.version === contact.version) return changed;
      tx.emit(ContactEvents.contactUpdated, {
        ...(await this.names.change(ctx, contact, changed, ContactDto.from)),
        projectId: contact.project_id,
      });
      return changed;
    });
  }

  /** The oldest contact of a project with the address, which is normalized; null if there is none. */
  async idByEmail(tx: Tx, projectId: string, email: string): Promise<string | null> {
    const [contact] = await tx.sql<{ id: string }>(
      sql`SELECT c.id FROM ${table(Contact)} c
        WHERE ${own('c')} AND c.email_normalized = ${email} AND c.project_id = ${projectId} ORDER BY c.id LIMIT 1`,
    );
    return contact?.id ?? null;
  }

  /** Creates the contact of a converted lead, with the lead's values of the custom fields that contacts also have. */
  async createFromLead(ctx: Ctx, tx: Tx, lead: Person): Promise<Contact> {
    // only active members can own new records
    const [owner_id = null] = lead.owner_id === null ? [] : await activeMembersOf(tx, [lead.owner_id]);
    const contact = await tx.insert(Contact, {
      project_id: lead.project_id,
      full_name: lead.full_name,
      first_name: lead.first_name,
      last_name: lead.last_name,
      email: lead.email,
      email_normalized: lead.email_normalized,
      phone: lead.phone,
      phone_normalized: lead.phone_normalized,
      company_name: lead.company_name,
      job_title: lead.job_title,
      source_id: lead.source_id,
      external_id: lead.external_id,
      consent: lead.consent,
      owner_id,
      custom_fields: await tx.customFields.ofNew(Contact, lead.custom_fields, { projectId: lead.project_id, onlyValid: true }),
      created_by: ctx.actor,
    });
    return this.created(ctx, tx, contact);
  }

  private async created(ctx: Ctx, tx: Tx, contact: Contact): Promise<Contact> {
    const object = await this.names.one(ctx, contact, ContactDto.from);
    tx.emit(ContactEvents.contactCreated, { object, projectId: contact.project_id });
    return contact;
  }
}
