import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import type { Client } from '../../../test/harness/client.js';
import type { Workspace } from '../../../test/harness/workspace.js';

const CRM = '/api/v1/org/crm';
const LEADS = '/api/v1/org/marketing/leads';

const app = await sharedApp();
let space: Workspace;
let member: Client;

beforeEach(async () => {
  space = await app.workspace();
  member = await space.signIn((await space.member('member')).email);
});

/** The member's role loses a permission. */
const withhold = (permission: string) =>
  app.sql.query(`UPDATE roles SET permissions = array_remove(permissions, $2) WHERE organization_id = $1 AND name = 'member'`, [
    space.organizationId,
    permission,
  ]);

describe('contacts and deals', () => {
  it('are read and written with their permissions', async () => {
    const contact = await member.post(`${CRM}/contacts`, { full_name: 'Ada Lovelace', email: 'ada@example.com' });
    expect(contact.status).toBe(201);
    const deal = await member.post(`${CRM}/deals`, { title: 'Engine', currency: 'EUR', amount: 1200, contact_ids: [contact.body.id] });
    expect([deal.status, (await member.patch(`${CRM}/deals/${deal.body.id}`, { status: 'won' })).body.status]).toEqual([201, 'won']);
    await withhold('crm.deal.view');
    expect((await member.get(`${CRM}/deals/${deal.body.id}`)).body.error).toMatchObject({ required_permission: 'crm.deal.view' });
    expect((await member.get(`${CRM}/contacts`)).body.data).toHaveLength(1);
    expect((await member.get(`${CRM}/members`)).body.data).toHaveLength(2);
    expect((await member.get(`${CRM}/lead-statuses`)).body.data.length).toBeGreaterThan(1);
  });

  it('come from leads, which need a permission of their own', async () => {
    const owner = await space.signIn();
    const { id } = (await owner.post(LEADS, { full_name: 'Grace Hopper', email: 'grace@example.com', project_id: space.eng.id })).body;
    expect((await member.post(`${LEADS}/${id}/convert`, {})).body.error).toMatchObject({
      code: 'permission_denied',
      required_permission: 'org.marketing.leads.manage',
    });
    const converted = await owner.post(`${LEADS}/${id}/convert`, { deal: { title: 'Compiler', currency: 'EUR' } });
    expect([converted.status, converted.body.deal.title]).toEqual([200, 'Compiler']);
    expect((await owner.post(`${LEADS}/${id}/convert`, {})).body.error.code).toBe('duplicate');
  });
});
