import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocument, type Json } from '../../../test/harness/api-document.js';
import { eventually } from '../../../test/harness/eventually.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { EXT_HR as EXT, ORG_HR as ORG, Staff } from './testing/hr-fixture.js';

/** Words in the names of attributes that no key may see, whatever the rest of the name is. */
const PRIVATE = new RegExp(
  `(?:^|_)(?:${[
    'birth|birthday|dob|age|gender|sex|nationality|religion|marital|spouse|children',
    'private|personal|home|emergency|address',
    'salary|pay|payment|payroll|wage|bonus|compensation|bank|iban|bic|account',
    'tax|social|ssn|passport|identity|licen[cs]e',
    'reason|note|comment|health|sick|illness|diagnosis|disability',
    'sealed|recompute|ledger|anonymized|working|calendar_kind',
  ].join('|')})s?(?:_|$)`,
);
/** Every name that keys and webhooks may have to do with; a new one is added here once it is known not to be private. */
const KNOWN = new Set(
  `object id type email data has_more next_cursor total_count version created_at updated_at created_by project_id
  number name work_email work_phone department_id position manager_id member_id status employment_type hired_on left_on
  department_name manager_name parent_id parent_name head_id head_name root_id depth truncated nodes level report_count
  calendar_id on half_day employee_id employee_name starts_on ends_on days decided_at
  leave_type_id leave_type_hidden paid days_per_year requires_approval allow_negative carry_over_days carry_over_expires hidden active
  leave_type_name as_of granted carried_over expired taken planned pending available
  limit cursor include_total created_after created_before updated_after sort q from to
  previous_attributes context trigger custom_fields`.split(/\s+/),
);

const VALUES = {
  birth_on: '1987-06-05',
  private_address: 'Geheimweg 99, 10999 Berlin',
  private_phone: '+49 30 99887766',
  private_email: 'secret-address@home.example',
  emergency_contact_name: 'Ottokar Notfall',
  emergency_contact_phone: '+49 30 55443322',
};
const REASON = 'A reason that nobody else may read';

const app = await sharedApp();
let staff: Staff;
let person: Json & { id: string };
let requestId: string;

beforeAll(async () => {
  staff = await Staff.open(app);
  person = await staff.employee({ name: 'Private Person', work_email: 'pp@example.com' });
  await staff.patch(`/employees/${person.id}/private`, VALUES);
  requestId = (await staff.post('/leave-requests', leaveOf(person, { starts_on: '2027-02-01', ends_on: '2027-02-05' }))).id;
});

function leaveOf({ id }: Json & { id: string }, days: Json): Json {
  return { leave_type_id: staff.types['Sick leave'], employee_id: id, reason: REASON, ...days };
}

/** Each name of a schema, with its path. */
function namesOf(schema: unknown, components: Json, path = '', seen: readonly unknown[] = []): string[] {
  if (typeof schema !== 'object' || schema === null || seen.includes(schema)) return [];
  const node = schema as Json & { $ref?: string; properties?: Json };
  if (node.$ref !== undefined) {
    const target = ((components.schemas as Json)[node.$ref.split('/').at(-1) as string] ?? {}) as Json;
    return namesOf(target, components, path, [...seen, schema]);
  }
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    `${path}.${name}`,
    ...namesOf(child, components, `${path}.${name}`, [...seen, schema]),
  ]);
  const nested = ['items', 'allOf', 'anyOf', 'oneOf'].flatMap((key) => [node[key] ?? []].flat());
  return [...own, ...nested.flatMap((child) => namesOf(child, components, path, [...seen, schema]))];
}

const isPrivate = (path: string) => {
  const name = path.split('.').at(-1) as string;
  return PRIVATE.test(name);
};

describe('a key with every scope', () => {
  it('meets no private attribute in any response, body, filter, sort, expand or webhook', async () => {
    const document = await ApiDocument.at(`${app.url}/openapi.json`);
    const components = document.source.components as Json;
    const operations = document.operations.filter(({ path }) => path.startsWith(EXT));
    const names: string[] = [];
    for (const { method, path, parameters, source } of operations) {
      expect([path, method]).toEqual([path, 'get']);
      for (const { name, schema } of parameters)
        names.push(
          `${path}?.${name}`,
          ...(name === 'sort' ? ((schema.enum ?? []) as string[]).map((value) => `${path}?sort.${value}`) : []),
        );
      for (const [status, { content }] of Object.entries(source.responses as Record<string, Json>)) {
        if (Number(status) >= 400) continue;
        const [body] = Object.values((content ?? {}) as Record<string, { schema: Json }>);
        names.push(...namesOf(body?.schema, components, `${path} ${status}`));
      }
    }
    const webhooks = Object.entries(document.source.webhooks as Record<string, { post: Json }>).filter(([type]) =>
      /^(employee|leave)/.test(type),
    );
    for (const [type, { post }] of webhooks) {
      const body = (post.requestBody as Json).content as Record<string, { schema: Json }>;
      const data = namesOf(body['application/json'].schema, components, type).filter((name) => name.includes('.data.'));
      expect([type, data.length > 5]).toEqual([type, true]);
      names.push(...data);
    }
    expect([operations.length, webhooks.length, names.length > 150]).toEqual([11, 5, true]);
    expect(names.filter(isPrivate)).toEqual([]);
    const isKnown = (name: string) => KNOWN.has(name.split('.').at(-1)?.replace(/^-/, '') as string);
    // definitions of fields describe no employee
    const ofEmployees = names.filter((name) => !name.startsWith('/api/v1/ext/hr/custom-fields'));
    expect(ofEmployees.filter((name) => !isKnown(name))).toEqual([]);
    expect(isPrivate('/x.birth_on') && Object.keys(VALUES).every((name) => isPrivate(`/x.${name}`))).toBe(true);
  });

  it('finds no private value by reading everything, nor does a webhook, an error or the log tell one', async () => {
    const asked = [
      '/employees?status=active,upcoming,left&limit=100',
      `/employees/${person.id}`,
      '/departments',
      '/org-chart?depth=5',
      '/absences?from=2027-01-01&to=2027-12-31',
      '/leave-requests?limit=100',
      `/leave-requests/${requestId}`,
      '/leave-types',
      '/leave-balances?limit=100',
      '/holidays',
      `/holidays?employee_id=${person.id}`,
    ];
    const seen = await Promise.all(asked.map((path) => staff.get(path)));
    // asking for it in any way is refused, and the refusal names what can be asked for alone
    const refusals = await Promise.all(
      ['birth_on=1987-06-05', 'private_email=x', 'expand=private', 'sort=birth_on', 'fields=salary', 'reason=x'].map((query) =>
        staff.api.get(`${EXT}/employees?${query}`),
      ),
    );
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 400));
    expect(await staff.list(`/employees?q=Geheimweg`)).toEqual([]);
    expect(await staff.list(`/employees?q=Notfall`)).toEqual([]);
    for (const path of [`/employees/${person.id}/private`, '/leave-ledger', '/me'])
      expect((await staff.api.get(EXT + path)).status).toBe(404);
    const stored = async (sql: string) => JSON.stringify((await app.sql.query(sql, [staff.workspace.organizationId])).rows);
    const events = await stored('SELECT body FROM outbox_events WHERE organization_id = $1');
    const log = await eventually(
      () => stored('SELECT to_jsonb(l) AS entry FROM request_logs l WHERE organization_id = $1'),
      (text) => text.includes('/employees'),
    );
    const told = JSON.stringify([seen, refusals.map(({ body }) => body), events, log]);
    for (const value of [...Object.values(VALUES), REASON]) expect([value, told.includes(value)]).toEqual([value, false]);
  });
});

it('tools say whose leave it is: by name, or by id to keys that may not read names', async () => {
  const rowFor = async (...scopes: string[]) => {
    const { client } = await staff.workspace.key({ module: 'hr', mode: 'live', scopes: ['hr:leave:read', ...scopes] });
    const params = { name: 'list_leave_requests', arguments: { employee_id: [person.id] } };
    const { body } = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { employee_id, employee_name } = body.result.structuredContent.data[0];
    return [employee_id, employee_name];
  };
  expect(await rowFor()).toEqual([person.id, undefined]);
  expect(await rowFor('hr:employee:read')).toEqual([undefined, person.name]);
});

it('employees name their departments to keys that may not read departments, too', async () => {
  const { id: department_id } = await staff.department('Named team');
  const { id } = await staff.employee({ department_id });
  const { client } = await staff.workspace.key({ module: 'hr', mode: 'live', scopes: ['hr:employee:read'] });
  const [one, page] = await Promise.all([`employees/${id}`, 'employees?limit=100'].map((path) => client.get(`${EXT}/${path}`)));
  const row = page.body.data.find((employee: { id: string }) => employee.id === id);
  expect([one.body.department_name, row.department_name]).toEqual(['Named team', 'Named team']);
});

it('leave names employees only to keys that may read employees', async () => {
  const namesFor = async (...scopes: string[]) => {
    const { client } = await staff.workspace.key({ module: 'hr', mode: 'live', scopes: ['hr:leave:read', ...scopes] });
    const [requests, one, balances] = await Promise.all(
      [`leave-requests?employee_id=${person.id}`, `leave-requests/${requestId}`, `leave-balances?employee_id=${person.id}`].map(
        async (path) => (await client.get(`${EXT}/${path}`)).body,
      ),
    );
    return [requests.data[0], one, balances.data[0]].map(({ employee_name }) => employee_name as string | undefined);
  };
  expect(await namesFor()).toEqual([undefined, undefined, undefined]);
  for (const scope of ['hr:employee:read', 'hr:org:read']) expect(await namesFor(scope)).toEqual([person.name, person.name, person.name]);
});

describe('private data', () => {
  it('is encrypted in every table that it comes near', async () => {
    const key = { 'idempotency-key': 'private-1' };
    await staff.screen.patch(`${ORG}/employees/${person.id}/private`, { private_phone: VALUES.private_phone }, key);
    const leave = leaveOf(person, { starts_on: '2027-03-01', ends_on: '2027-03-01' });
    const sent = await staff.screen.post(`${ORG}/leave-requests`, leave, key);
    await staff.screen.post(`${ORG}/leave-requests/${sent.body.id as string}/withdraw`, {}, key);
    const again = await staff.screen.post(`${ORG}/leave-requests`, leave, key);
    expect([sent.body.reason, again.body]).toEqual([REASON, { ...sent.body, reason: null, note: null }]);
    const records = JSON.stringify((await app.sql.query('SELECT body FROM idempotency_records')).rows);
    for (const value of [...Object.values(VALUES), REASON]) expect([value, records.includes(value)]).toEqual([value, false]);
    const { rows } = await app.sql.query<{ table_name: string }>(
      `SELECT c.table_name FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.column_name = 'organization_id'`,
    );
    for (const { table_name } of rows) {
      const text = JSON.stringify(
        (await app.sql.query(`SELECT to_jsonb(t) AS row FROM ${table_name} t WHERE organization_id = $1`, [staff.workspace.organizationId]))
          .rows,
      );
      for (const value of [...Object.values(VALUES), REASON])
        expect([table_name, value, text.includes(value)]).toEqual([table_name, value, false]);
    }
    expect((await staff.screen.get(`${ORG}/employees/${person.id}/private`)).body).toMatchObject(VALUES);
  });

  it('has a version of its own, which If-Match is compared with', async () => {
    const { id } = await staff.employee({});
    const path = `${ORG}/employees/${id}/private`;
    const unset = await staff.screen.get(path);
    expect([unset.headers.etag, unset.body.version, unset.body.birth_on]).toEqual(['"1"', 1, null]);
    const set = await staff.screen.patch(path, { birth_on: VALUES.birth_on }, { 'If-Match': '"1"' });
    expect([set.status, set.headers.etag]).toEqual([200, '"2"']);
    const unborn = await staff.screen.patch(path, { birth_on: '2999-01-01' });
    expect([unborn.status, unborn.body.error.param]).toEqual([400, 'birth_on']);
    const lost = await staff.screen.patch(path, { birth_on: '1990-01-01' }, { 'If-Match': '"1"' });
    expect([lost.status, lost.body.error.code, lost.headers.etag]).toEqual([412, 'version_conflict', '"2"']);
    const { headers, body } = await staff.screen.get(path);
    expect([headers.etag, body.birth_on]).toEqual(['"2"', VALUES.birth_on]);
  });

  it('is gone for whoever loses the permission, with the next call', async () => {
    const clerk = await staff.workspace.signIn((await staff.workspace.member('admin')).email);
    const path = `${ORG}/employees/${person.id}/private`;
    expect((await clerk.get(path)).body).toMatchObject(VALUES);
    const withhold = (permission: string) =>
      app.sql.query(`UPDATE roles SET permissions = array_remove(permissions, $2) WHERE organization_id = $1 AND name = 'admin'`, [
        staff.workspace.organizationId,
        permission,
      ]);
    await withhold('hr.private.manage');
    expect((await clerk.get(path)).body.error).toMatchObject({ code: 'permission_denied', required_permission: 'hr.private.manage' });
    expect((await clerk.patch(path, { birth_on: null })).status).toBe(403);
    expect((await clerk.get(`${ORG}/leave-requests/${requestId}`)).body).toMatchObject({ reason: REASON });
    await withhold('hr.leave.decide');
    expect((await clerk.get(`${ORG}/leave-requests/${requestId}`)).status).toBe(403);
    expect((await clerk.get(`${ORG}/employees/${person.id}`)).status).toBe(200);
  });

  it('is deleted permanently when a former employee is anonymized; their days of leave stay', async () => {
    const member = await staff.workspace.member('member');
    await staff.screen.post('/api/v1/org/developer/webhook-endpoints', { url: 'https://receiver.example', events: ['*'], mode: 'live' });
    const fields = '/api/v1/org/custom-fields';
    const define = async (key: string) =>
      (await staff.screen.post(fields, { resource: 'employee', key, label: key, type: 'text' })).body.id as string;
    const [deleted] = [await define('motto'), await define('shirt')];
    const custom_fields = { motto: 'Onwards', shirt: 'XL' };
    const gone = { name: 'Gone Person', work_email: 'gone@example.com', position: 'Pilot', member_id: member.id, custom_fields };
    const leaver = await staff.employee(gone);
    expect(leaver).toMatchObject({ custom_fields });
    await staff.screen.delete(`${fields}/${deleted}?confirm=true`);
    const own = { leave_type_id: staff.types['Sick leave'], starts_on: '2021-04-01', ends_on: '2021-04-01' };
    await staff.post('/me/leave-requests', own, await staff.workspace.signIn(member.email));
    await staff.entry(leaver, 'Vacation', 'adjustment', '1', { note: 'Farewell of Gone Person' });
    await staff.patch(`/employees/${leaver.id}/private`, VALUES);
    const { id } = await staff.approved(leaver, 'Unpaid leave', '2021-03-01', '2021-03-05', { reason: REASON });
    expect(await staff.refused(`/employees/${leaver.id}/anonymize`)).toEqual([400, 'validation_failed', 'id']);
    await staff.patch(`/employees/${leaver.id}`, { left_on: '2022-01-31' });
    const done = await staff.post(`/employees/${leaver.id}/anonymize`);
    expect(done).toMatchObject({
      name: `Former employee ${leaver.number}`,
      work_email: null,
      position: null,
      custom_fields: {},
      anonymized_at: expect.any(String),
    });
    const { rows: left } = await app.sql.query('SELECT custom_fields FROM hr_employees WHERE id = $1', [leaver.id]);
    expect(left).toEqual([{ custom_fields: {} }]);
    expect(await staff.list('/employees?q=gone&status=left')).toEqual([]);
    expect((await staff.screen.get(`${ORG}/employees/${leaver.id}/private`)).body).toMatchObject({ birth_on: null, private_address: null });
    expect((await staff.screen.get(`${ORG}/leave-requests/${id}`)).body).toMatchObject({ days: '5', reason: null });
    const { rows } = await app.sql.query<{ type: string; previous: Json }>(
      `SELECT type, body::jsonb #> '{data,previous_attributes}' AS previous FROM outbox_events WHERE body LIKE '%' || $1 || '%'`,
      [leaver.id],
    );
    expect(rows).toEqual([{ type: 'employee.updated', previous: {} }]);
    const orphans = await app.sql.query('SELECT 1 FROM webhook_deliveries WHERE event_id NOT IN (SELECT id FROM outbox_events)');
    expect(orphans.rowCount).toBe(0);
    const told = new RegExp(['Gone Person', 'gone@example.com', member.email, member.id].join('|'));
    for (const table of ['hr_employees', 'hr_leave_requests', 'hr_leave_ledger', 'outbox_events', 'jobs']) {
      const sql = `SELECT to_jsonb(t) AS row FROM ${table} t WHERE to_jsonb(t)::text LIKE '%' || $1 || '%'`;
      const kept = await app.sql.query(sql, [leaver.id]);
      expect([table, kept.rows.length > 0 || table === 'jobs', told.exec(JSON.stringify(kept.rows))]).toEqual([table, true, null]);
    }
    const sum = `SELECT count(*)::int AS count, sum(days)::text AS days FROM hr_leave_ledger WHERE employee_id = $1 AND kind = 'use'`;
    expect((await app.sql.query(sum, [leaver.id])).rows).toEqual([{ count: 6, days: '-6.00' }]);
    await expect(app.sql.query(`UPDATE hr_leave_ledger SET days = 1, note = NULL WHERE employee_id = $1`, [leaver.id])).rejects.toThrow(
      'never changed',
    );
    expect((await staff.screen.patch(`${ORG}/employees/${leaver.id}`, { name: 'Back' })).status).toBe(400);
  });
});
