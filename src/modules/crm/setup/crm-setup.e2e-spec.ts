import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { CrmDefaults1763710000002 } from '../../../../migrations/1763710000002-crm-defaults.js';
import { errorOf, type Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { eventually } from '../../../../test/harness/eventually.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import type { ScoreLeads } from '../scoring/score-leads.job.js';

const ORG = '/api/v1/org/crm';
const LEADS = '/api/v1/org/marketing/leads';
const EXT = '/api/v1/ext/crm';

const app = await sharedApp();
let space: Workspace;
let screen: Client;

beforeEach(async () => {
  space = await app.workspace();
  screen = await space.signIn();
});

const data = async (path: string) => (await screen.get(path)).body.data;
const inEng = () => `project_id=${space.eng.id}`;

describe('pipelines', () => {
  const create = (over: object = {}) =>
    screen.post(`${ORG}/pipelines`, {
      project_id: space.eng.id,
      kind: 'deal',
      name: 'Renewals',
      stages: [
        { name: 'Offer', kind: 'open' },
        { name: 'Renewed', kind: 'won' },
      ],
      ...over,
    });

  it('are created with their stages; each kind has one default', async () => {
    const made = await create({ is_default: true });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ object: 'pipeline', kind: 'deal', is_default: true })]);
    const all: { id: string; name: string; is_default: boolean }[] = await data(`${ORG}/pipelines?${inEng()}`);
    expect(all.map(({ name, is_default }) => [name, is_default])).toEqual([
      ['Leads', true],
      ['Sales', false],
      ['Renewals', true],
    ]);
    expect(
      (await data(`${ORG}/pipelines/${made.body.id}/stages`)).map(({ name, position }: Record<string, unknown>) => [name, position]),
    ).toEqual([
      ['Offer', 1],
      ['Renewed', 2],
    ]);
    const { client } = await space.key({ module: 'crm', project_id: space.eng.id });
    const deal = (await client.post(`${EXT}/deals`, { title: 'x', currency: 'EUR' })).body;
    expect(deal.pipeline_id).toBe(made.body.id);
    expect((await client.patch(`${EXT}/deals/${deal.id}`, { status: 'lost' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'status',
    });
    expect((await screen.patch(`${ORG}/pipelines/${made.body.id}`, { is_default: false })).body.error).toMatchObject({
      param: 'is_default',
    });
    expect((await screen.delete(`${ORG}/pipelines/${made.body.id}`)).body.error.code).toBe('resource_conflict');
    const renamed = await screen.patch(`${ORG}/pipelines/${all[1].id}`, { name: '  New business ', is_default: true });
    expect(renamed.body).toMatchObject({ name: 'New business', is_default: true });
    // it contains a deal
    expect((await screen.delete(`${ORG}/pipelines/${made.body.id}`)).body.error.code).toBe('resource_conflict');
  });

  it('are validated', async () => {
    expect((await create({ stages: [{ name: 'Won', kind: 'won' }] })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'stages',
    });
    expect(
      (
        await create({
          stages: [
            { name: 'A', kind: 'open' },
            { name: 'a', kind: 'open' },
          ],
        })
      ).body.error,
    ).toMatchObject({ code: 'duplicate', param: 'name' });
    expect((await create({ name: 'sales' })).body.error).toMatchObject({ code: 'duplicate', param: 'name' });
    expect((await create({ project_id: space.organizationId })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'project_id',
    });
  });

  it('keep an open stage under concurrent deletes', async () => {
    const { id } = (
      await create({
        stages: [
          { name: 'A', kind: 'open' },
          { name: 'B', kind: 'open' },
          { name: 'C', kind: 'won' },
        ],
      })
    ).body;
    const stages = await data(`${ORG}/pipelines/${id}/stages`);
    const responses = await Promise.all(stages.slice(0, 2).map((stage: { id: string }) => screen.delete(`${ORG}/stages/${stage.id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
    const added = (await screen.post(`${ORG}/pipelines/${id}/stages`, { name: 'D', kind: 'lost' })).body;
    expect(added).toMatchObject({ object: 'pipeline_stage', kind: 'lost', position: 4 });
    expect((await screen.patch(`${ORG}/stages/${added.id}`, { name: 'Gone', position: 0, kind: 'won' })).body).toMatchObject({
      name: 'Gone',
      position: 0,
      kind: 'lost',
    });
    expect((await data(`${ORG}/pipelines/${id}/stages`))[0].name).toBe('Gone');
    expect((await screen.delete(`${ORG}/pipelines/${id}`)).status).toBe(204);
  });
});

describe('sources', () => {
  it('are created, renamed, and deleted unless a lead uses them', async () => {
    const { id } = (await screen.post(`${ORG}/sources`, { project_id: space.eng.id, name: 'Trade fair' })).body;
    expect((await screen.post(`${ORG}/sources`, { project_id: space.eng.id, name: 'website' })).body.error).toMatchObject({
      code: 'duplicate',
      param: 'name',
    });
    expect((await screen.patch(`${ORG}/sources/${id}`, { name: 'Fair' })).body.name).toBe('Fair');
    const lead = (await screen.post(LEADS, { project_id: space.eng.id, full_name: 'Ada', phone: '123456', source_id: id })).body;
    expect((await screen.delete(`${ORG}/sources/${id}`)).body.error.code).toBe('resource_conflict');
    await screen.delete(`${LEADS}/${lead.id}`);
    expect((await screen.delete(`${ORG}/sources/${id}`)).status).toBe(204);
    expect(await data(`${ORG}/sources?${inEng()}`)).toHaveLength(4);
  });
});

describe('the configuration', () => {
  it('is listed page by page', async () => {
    for (const n of [1, 2, 3])
      await screen.post(`${ORG}/assignment-rules`, {
        project_id: space.eng.id,
        name: `Rule ${n}`,
        position: 4 - n,
        assign: 'user',
        member_ids: [space.owner.id],
      });
    const [{ id }] = await data(`${ORG}/pipelines?${inEng()}&kind=lead`);
    for (const [path, sort] of [
      ['sources', 'name'],
      ['pipelines', 'name'],
      ['assignment-rules', 'position'],
      [`pipelines/${id}/stages`, 'position'],
    ]) {
      const query = path.endsWith('stages') ? '' : `${inEng()}&`;
      const whole = (await screen.get(`${ORG}/${path}?${query}sort=${sort}`)).body;
      const paged: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = (await screen.get(`${ORG}/${path}?${query}sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`)).body as {
          data: unknown[];
          next_cursor: string | null;
        };
        expect(page.data).toHaveLength(1);
        paged.push(...page.data);
        cursor = page.next_cursor;
      }
      expect([whole.has_more, paged]).toEqual([false, whole.data]);
      expect(paged.length).toBeGreaterThan(1);
    }
    for (const path of ['sources', 'pipelines', 'assignment-rules', 'custom-fields'])
      expect((await screen.get(`${ORG}/${path}`)).status).toBe(200);
  });

  it('has limits that hold under concurrent requests', async () => {
    const fill = (table: string, columns: string, values: string, count: number) =>
      app.sql.query(
        `INSERT INTO ${table} (id, organization_id, project_id, ${columns})
         SELECT gen_random_uuid(), $1, $2, ${values} FROM generate_series(1, ${count}) AS n`,
        [space.organizationId, space.eng.id],
      );
    const [{ id: pipeline }] = await data(`${ORG}/pipelines?${inEng()}&kind=lead`);
    const stages = await data(`${ORG}/pipelines/${pipeline}/stages`);
    await fill('lead_sources', 'name', `'S ' || n`, 195);
    await fill('custom_fields', 'resource, key, label, type, position', `'lead', 'f' || n, 'F', 'text', n`, 99);
    await fill(
      'lead_assignment_rules',
      'name, position, conditions, assign, member_ids',
      `'R', n, '[]', 'user', '{${space.owner.id}}'`,
      99,
    );
    await fill('crm_pipelines', 'kind, name', `'deal', 'P ' || n`, 47);
    await fill(
      'crm_stages',
      'pipeline_id, pipeline_kind, name, kind, position',
      `'${pipeline}', 'lead', 'X ' || n, 'open', 100 + n`,
      49 - stages.length,
    );
    const add: [string, (n: number) => object][] = [
      ['sources', (n) => ({ name: `New ${n}` })],
      ['custom-fields', (n) => ({ resource: 'lead', key: `new_${n}`, label: 'New', type: 'text' })],
      ['assignment-rules', (n) => ({ name: `New ${n}`, assign: 'user', member_ids: [space.owner.id] })],
      ['pipelines', (n) => ({ kind: 'lead', name: `New ${n}`, stages: [{ name: 'A', kind: 'open' }] })],
      [`pipelines/${pipeline}/stages`, (n) => ({ name: `New ${n}`, kind: 'open' })],
    ];
    for (const [path, body] of add) {
      const responses = await Promise.all([1, 2, 3].map((n) => screen.post(`${ORG}/${path}`, { project_id: space.eng.id, ...body(n) })));
      expect([path, responses.map(({ status, body: { error } }) => [status, error?.code]).sort()]).toEqual([
        path,
        [
          [201, undefined],
          [409, 'resource_conflict'],
          [409, 'resource_conflict'],
        ],
      ]);
    }
    // custom fields of contacts have a limit of their own
    expect(
      (await screen.post(`${ORG}/custom-fields`, { project_id: space.eng.id, resource: 'contact', key: 'new', label: 'New', type: 'text' }))
        .status,
    ).toBe(201);
  });
});

describe('a project that is older than the CRM', () => {
  it('gets the defaults of a new project by the migration, only once', async () => {
    const stages = async () =>
      (
        await app.sql.query(
          'SELECT pipeline_kind, name, kind, position FROM crm_stages WHERE project_id = $1 ORDER BY pipeline_kind, position',
          [space.eng.id],
        )
      ).rows;
    const before = await stages();
    for (const table of ['crm_pipelines', 'lead_sources', 'crm_settings'])
      await app.sql.query(`DELETE FROM ${table} WHERE project_id = $1`, [space.eng.id]);
    for (let run = 0; run < 2; run++)
      await new CrmDefaults1763710000002().up({
        query: async (sql: string, values?: unknown[]) => (await app.sql.query(sql, values)).rows,
      } as QueryRunner);
    expect(await stages()).toEqual(before);
    expect((await data(`${ORG}/sources?${inEng()}`)).map(({ name }: { name: string }) => name)).toEqual([
      'Website',
      'Referral',
      'Event',
      'Advertisement',
    ]);
    expect((await screen.post(LEADS, { project_id: space.eng.id, full_name: 'Ada', phone: '123456' })).status).toBe(201);
  });
});

describe('settings', () => {
  it('have the default country of phone numbers', async () => {
    const at = `${ORG}/settings/${space.eng.id}`;
    expect((await screen.get(at)).body).toMatchObject({ object: 'crm_settings', default_country: null });
    expect((await screen.patch(at, { default_country: 'XX' })).body.error).toMatchObject({ param: 'default_country' });
    expect((await screen.patch(at, { default_country: 'DE' })).body.default_country).toBe('DE');
    expect((await screen.post(LEADS, { project_id: space.eng.id, full_name: 'Ada', phone: '030 901820' })).body).toMatchObject({
      phone: '030 901820',
      phone_normalized: '+4930901820',
    });
    expect((await screen.get(`${ORG}/settings/${space.organizationId}`)).status).toBe(404);
  });
});

describe('assignment rules and custom fields', () => {
  it('are listed, changed and deleted', async () => {
    const rule = (
      await screen.post(`${ORG}/assignment-rules`, { project_id: space.eng.id, name: 'All', assign: 'user', member_ids: [space.owner.id] })
    ).body;
    const first = (
      await screen.post(`${ORG}/assignment-rules`, {
        project_id: space.eng.id,
        name: 'First',
        position: 0,
        assign: 'user',
        member_ids: [space.owner.id],
      })
    ).body;
    expect(
      (await data(`${ORG}/assignment-rules?${inEng()}`)).map(({ name, position }: Record<string, unknown>) => [name, position]),
    ).toEqual([
      ['First', 0],
      ['All', 1],
    ]);
    expect(
      (await screen.patch(`${ORG}/assignment-rules/${first.id}`, { active: false, conditions: [{ field: 'email', op: 'is_set' }] })).body,
    ).toMatchObject({ active: false, version: 2 });
    expect((await screen.delete(`${ORG}/assignment-rules/${rule.id}`)).status).toBe(204);
    const field = (
      await screen.post(`${ORG}/custom-fields`, {
        project_id: space.eng.id,
        resource: 'deal',
        key: 'seats',
        label: 'Seats',
        type: 'number',
      })
    ).body;
    expect((await screen.patch(`${ORG}/custom-fields/${field.id}`, { label: 'Places', required: true })).body).toMatchObject({
      label: 'Places',
      required: true,
      key: 'seats',
    });
    const { client } = await space.key({ module: 'crm', project_id: space.eng.id });
    const seats = (await client.post(`${EXT}/deals`, { title: 'x', currency: 'EUR', custom_fields: { seats: 5 } })).body;
    expect(errorOf(await screen.delete(`${ORG}/custom-fields/${field.id}`))).toEqual([409, 'resource_conflict', undefined]);
    expect((await screen.patch(`${ORG}/custom-fields/${field.id}`, { active: false })).body).toMatchObject({ active: false });
    expect((await client.patch(`${EXT}/deals/${seats.id}`, { title: 'y' })).body.custom_fields).toEqual({ seats: 5 });
    expect((await client.post(`${EXT}/deals`, { title: 'x', currency: 'EUR', custom_fields: { seats: 5 } })).body.error.message).toBe(
      'custom_fields.seats is not a custom field; there are none',
    );
    await screen.patch(`${ORG}/custom-fields/${field.id}`, { active: true, required: false });
    expect((await client.patch(`${EXT}/deals/${seats.id}`, { custom_fields: { seats: null } })).body.custom_fields).toEqual({});
    expect((await screen.delete(`${ORG}/custom-fields/${field.id}`)).status).toBe(204);
  });

  it('what a rule compares cannot be deleted', async () => {
    const project_id = space.eng.id;
    const create = async (path: string, body: object) => (await screen.post(`${ORG}/${path}`, { project_id, ...body })).body;
    const stages = [
      { name: 'New', kind: 'open' },
      { name: 'Later', kind: 'open' },
    ];
    const pipeline = await create('pipelines', { kind: 'lead', name: 'Compared', stages });
    const [, later] = (await data(`${ORG}/pipelines/${pipeline.id}/stages`)) as { id: string }[];
    const source = await create('sources', { name: 'Compared' });
    const field = await create('custom-fields', { resource: 'lead', key: 'compared', label: 'Compared', type: 'text' });
    const rule = await create('assignment-rules', { name: 'Compares', assign: 'user', member_ids: [space.owner.id] });
    for (const [path, condition] of [
      [`sources/${source.id}`, { field: 'source_id', op: 'in', value: ['x', source.id] }],
      [`stages/${later.id}`, { field: 'status_id', op: 'neq', value: later.id }],
      [`pipelines/${pipeline.id}`, { field: 'status_id', op: 'neq', value: later.id }],
      [`pipelines/${pipeline.id}`, { field: 'pipeline_id', op: 'eq', value: pipeline.id }],
      [`custom-fields/${field.id}`, { field: 'custom_fields.compared', op: 'is_set' }],
    ] as const) {
      expect((await screen.patch(`${ORG}/assignment-rules/${rule.id}`, { conditions: [condition] })).status).toBe(200);
      expect([path, ...errorOf(await screen.delete(`${ORG}/${path}`))]).toEqual([path, 409, 'resource_conflict', undefined]);
    }
    await screen.delete(`${ORG}/assignment-rules/${rule.id}`);
    for (const path of [`sources/${source.id}`, `custom-fields/${field.id}`, `stages/${later.id}`, `pipelines/${pipeline.id}`])
      expect([path, (await screen.delete(`${ORG}/${path}`)).status]).toEqual([path, 204]);
  });
});

describe('leads in the organization API', () => {
  it('are created without matching, with the permission and a CSRF token', async () => {
    const body = { project_id: space.eng.id, full_name: 'Ada Lovelace', email: 'ada@example.com' };
    const responses = [await screen.post(LEADS, body), await screen.post(LEADS, body)];
    expect(responses.map(({ status, body: lead }) => [status, lead.submission_count, lead.score])).toEqual([
      [201, 1, 0],
      [201, 1, 0],
    ]);
    expect((await screen.get(`${LEADS}?email=ADA@EXAMPLE.com&include_total=true`)).body.total_count).toBe(2);
    expect((await screen.post(LEADS, { ...body, full_name: undefined })).body.error).toMatchObject({
      code: 'missing_fields',
      param: 'full_name',
    });
    expect((await screen.post(LEADS, { ...body, custom_fields: '{}' })).body.error).toMatchObject({
      code: 'validation_failed',
      message: 'custom_fields must be a JSON object',
    });
    expect((await screen.with({ 'x-csrf-token': 'no' }).post(LEADS, body)).body.error.code).toBe('csrf_token_invalid');
    const member = await space.signIn((await space.member('member')).email);
    expect((await member.post(LEADS, body)).body.error).toMatchObject({
      code: 'permission_denied',
      required_permission: 'org.marketing.leads.manage',
    });
    expect((await member.post(`${ORG}/sources`, { project_id: space.eng.id, name: 'x' })).body.error).toMatchObject({
      code: 'permission_denied',
      required_permission: 'org.crm.manage',
    });
    expect((await member.get(`${ORG}/sources?${inEng()}`)).status).toBe(200);
  });

  it('of test mode are separate', async () => {
    const test = screen.with({ 'svc-mode': 'test' });
    const { id } = (await test.post(LEADS, { project_id: space.eng.id, full_name: 'Ada', email: 'ada@example.com' })).body;
    expect([(await screen.get(`${LEADS}/${id}`)).status, (await test.get(`${LEADS}/${id}`)).status]).toEqual([404, 200]);
    expect((await screen.patch(`${LEADS}/${id}`, { job_title: 'x' })).status).toBe(404);
    expect((await test.patch(`${LEADS}/${id}`, { job_title: 'x' })).status).toBe(200);
    expect(await data(LEADS)).toEqual([]);
  });
});

describe('scoring', () => {
  it('covers all leads of one project and mode, and is the same each time', async () => {
    const post = (project_id: string, n: number, client = screen) =>
      client.post(LEADS, { project_id, full_name: `Lead ${n}`, email: `lead${n}@acme.de`, job_title: 'Director' });
    for (let n = 0; n < 5; n++) await post(space.eng.id, n);
    await post(space.ops.id, 5);
    const test = screen.with({ 'svc-mode': 'test' });
    await post(space.eng.id, 6, test);
    const run = async () => {
      const response = await screen.post(`${ORG}/leads/score`, { project_id: space.eng.id });
      expect([response.status, response.body]).toEqual([202, { object: 'lead_scoring', project_id: space.eng.id }]);
    };
    const scores = async (client = screen) =>
      (await client.get(`${LEADS}?sort=-score`)).body.data.map(({ score, version }: Record<string, unknown>) => [score, version]);
    await run();
    const expected = [...Array<unknown>(5).fill([40, 2]), [0, 1]];
    expect(await eventually(scores, ([first]) => first[0] > 0)).toEqual(expected);
    await app.service<ScoreLeads>('ScoreLeads').run(space.ctx(), { project_id: space.eng.id }, { signal: new AbortController().signal });
    expect([await scores(), await scores(test)]).toEqual([expected, [[0, 1]]]);
    expect((await screen.post(`${ORG}/leads/score`, { project_id: space.organizationId })).body.error.param).toBe('project_id');
  });
});
