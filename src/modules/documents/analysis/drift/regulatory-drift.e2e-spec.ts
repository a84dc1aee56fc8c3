import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownApp } from '../../../../../test/harness/hosted-app.js';
import type { Client } from '../../../../../test/harness/client.js';
import { eventually } from '../../../../../test/harness/eventually.js';
import { Receiver } from '../../../../../test/harness/receiver.js';
import type { Workspace } from '../../../../../test/harness/workspace.js';
import type { DueRow } from '../../../../kit/index.js';
import type { CheckRulePacks } from './check-rule-packs.scheduled-job.js';
import { makeType } from '../../testing/document-types.js';

const PACKS = '/api/v1/org/papers/rule-packs';
const FINDINGS = '/api/v1/org/papers/regulatory-findings';
const DOCUMENTS = '/api/v1/ext/papers/documents';

const app = await ownApp({ env: { WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } });
let space: Workspace;
let api: Client;
let screen: Client;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(async () => {
  await receiver.stop();
});
beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'documents' })).client;
  screen = await space.signIn();
});

const rule = (over: object = {}) => ({
  rule_id: 'dpa',
  version: 1,
  title: 'Processing agreement',
  effective_on: '2026-01-01',
  type_codes: [],
  check: { kind: 'clause_required', pattern: 'data processing\\s+agreement' },
  severity: 'critical',
  ...over,
});
const pack = async (rules: object[], over: object = {}) =>
  (await screen.post(PACKS, { name: 'EU data protection', jurisdiction: 'EU', rules, ...over })).body;
const checkPacks = (now?: Date) => app.runScheduledJob('documents.regulatory_drift', now);
const findings = async (
  client = screen,
): Promise<{ document_id: string; rule_id: string; rule_version: number; severity: string; message: string }[]> =>
  (await client.get(FINDINGS)).body.data;
/** A type without approval: a submitted document is approved immediately. */
const document = async (
  template: string,
  { client = api, submit = true, ...over }: { client?: Client; submit?: boolean; data_values?: object; code?: string } = {},
) => {
  const { code } = await makeType(app, space.ctx(), {
    template,
    code: over.code,
    field_schema: { type: 'object', properties: { amount: { type: 'number' } } },
  });
  const {
    body: { id },
  } = await client.post(DOCUMENTS, { type_code: code, title: 'Agreement', project_id: space.eng.id, data_values: over.data_values ?? {} });
  if (submit) expect((await client.post(`${DOCUMENTS}/${id}/submit`, {})).status).toBe(200);
  return id as string;
};
const events = async () =>
  (
    await app.sql.query<{ body: string }>(
      `SELECT body FROM outbox_events WHERE organization_id = $1 AND type = 'ai.risk.critical_detected'`,
      [space.organizationId],
    )
  ).rows.map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body));

describe('the check of documents against rule packs', () => {
  it('runs when a pack is created: a critical violation is a finding and one event that reaches an endpoint', async () => {
    await receiver.subscribe(screen, { events: ['ai.risk.critical_detected'] });
    const [bad] = [await document('Nothing of the kind.'), await document('There is a data\nprocessing agreement.')];
    const draft = await document('Nothing either.', { submit: false });
    const { id: pack_id } = await pack([rule()]);
    const [found, ...others] = await eventually(findings, ({ length }) => length > 0);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      object: 'regulatory_finding',
      document_id: bad,
      pack_id,
      rule_id: 'dpa',
      rule_version: 1,
      jurisdiction: 'EU',
      severity: 'critical',
      message: 'Processing agreement: the clause that the rule requires is missing.',
    });
    expect(found.document_id).not.toBe(draft);
    const [delivered] = await eventually(
      async () => receiver.received.filter(({ event }) => event.data.object.id === bad),
      ({ length }) => length > 0,
    );
    expect(delivered.event).toMatchObject({
      type: 'ai.risk.critical_detected',
      project_id: space.eng.id,
      actor: { type: 'system' },
      data: { object: { object: 'document', id: bad, state: 'approved' }, context: { finding: found } },
    });
    const check = () =>
      app
        .service<CheckRulePacks>('CheckRulePacks')
        .handle(space.ctx(), { id: pack_id } as DueRow, new Date(), new AbortController().signal);
    await app.sql.query('DELETE FROM regulatory_checks');
    await Promise.all([check(), check()]);
    expect(await findings()).toEqual([found]);
    expect(await events()).toHaveLength(1);
  });

  it('treats a new version of a rule as a new rule, and rejects other changes', async () => {
    const id = await document('Nothing of the kind.');
    const { id: pack_id } = await pack([rule()]);
    await eventually(findings, ({ length }) => length === 1);
    const changed = rule({ title: 'Processing agreement, article 28' });
    expect((await screen.patch(`${PACKS}/${pack_id}`, { rules: [changed] })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'rules.0.version',
      message: 'rules.0.version must be greater than 1, because the rule has changed',
    });
    // an identical rule is not a change
    expect((await screen.patch(`${PACKS}/${pack_id}`, { rules: [rule()] })).body.version).toBe(1);
    expect((await screen.patch(`${PACKS}/${pack_id}`, { rules: [{ ...changed, version: 2 }] })).status).toBe(200);
    const found = await eventually(findings, ({ length }) => length === 2);
    expect(found.map(({ document_id, rule_version }) => [document_id, rule_version]).sort()).toEqual([
      [id, 1],
      [id, 2],
    ]);
    expect(await events()).toHaveLength(2);
  });

  it('skips rules that are not yet effective and inactive packs', async () => {
    const id = await document('Nothing of the kind.');
    await pack([rule({ effective_on: '2090-01-01' })]);
    await pack([rule()], { name: 'Off', active: false });
    await checkPacks();
    expect(await findings()).toEqual([]);
    await checkPacks(new Date('2090-01-01T00:00:00Z'));
    expect((await findings()).map(({ document_id }) => document_id)).toEqual([id]);
  });

  it('applies each check to text and values, for its document types', async () => {
    const penal = await document('The Customer shall pay a PENALTY of any height.', {
      data_values: { amount: 5_000 },
      code: `penal_${Date.now()}`,
    });
    const mild = await document('There is none.', { data_values: { amount: 50 }, code: `mild_${Date.now()}` });
    const {
      body: {
        type: { code },
      },
    } = await api.get(`${DOCUMENTS}/${penal}`);
    await pack([
      rule({ rule_id: 'penalty', check: { kind: 'clause_forbidden', pattern: 'penalty of (any|every)' }, severity: 'high' }),
      rule({
        rule_id: 'amount',
        check: { kind: 'field_predicate', condition: { field: 'amount', op: 'lte', operand: { value: 1_000 } } },
        severity: 'medium',
      }),
      rule({ rule_id: 'named', type_codes: [code], severity: 'low' }),
    ]);
    await checkPacks();
    const found = await eventually(findings, ({ length }) => length >= 3);
    expect(found.map(({ document_id, rule_id, severity }) => [document_id, rule_id, severity]).sort()).toEqual([
      [penal, 'amount', 'medium'],
      [penal, 'named', 'low'],
      [penal, 'penalty', 'high'],
    ]);
    expect(found.some(({ document_id }) => document_id === mild)).toBe(false);
    // only critical findings emit an event
    expect(await events()).toEqual([]);
  });

  it('rejects a rule for an unknown type', async () => {
    const { code } = await makeType(app, space.ctx());
    const rejected = { code: 'validation_failed', param: 'rules.1.type_codes.1' };
    const named = rule({ type_codes: [code] });
    const wrong = rule({ rule_id: 'other', type_codes: [code, 'no_such_type'] });
    expect((await pack([named, wrong])).error).toMatchObject(rejected);
    const { id } = await pack([named]);
    expect((await screen.patch(`${PACKS}/${id}`, { rules: [named, wrong] })).body.error).toMatchObject(rejected);
    expect((await screen.get(`${PACKS}/${id}`)).body.rules).toHaveLength(1);
  });

  it('checks a document again only after it or the rules changed', async () => {
    const id = await document('Nothing of the kind.');
    const { id: pack_id } = await pack([rule({ severity: 'low' })]);
    const checked = async () =>
      (
        await app.sql.query<{ version: number }>('SELECT version FROM regulatory_checks WHERE document_id = $1 AND pack_id = $2', [
          id,
          pack_id,
        ])
      ).rows.map(({ version }) => version);
    await eventually(checked, ({ length }) => length === 1);
    await app.sql.query(`DELETE FROM regulatory_findings WHERE document_id = $1`, [id]);
    await checkPacks();
    expect(await findings()).toEqual([]);
    await app.sql.query('UPDATE documents SET version = version + 1 WHERE id = $1', [id]);
    await checkPacks();
    expect(await findings()).toHaveLength(1);
  });

  it('separates test and live mode', async () => {
    const test = (await space.key({ module: 'documents', mode: 'test' })).client;
    const id = await document('Nothing of the kind.', { client: test });
    await pack([rule()]);
    await checkPacks();
    expect(await findings()).toEqual([]);
    expect((await findings(screen.with({ 'svc-mode': 'test' }))).map(({ document_id }) => document_id)).toEqual([id]);
    expect((await events()).map(({ mode }) => mode)).toEqual(['test']);
  });
});

describe('a rule pack', () => {
  it.each([
    [
      'a pattern RE2 cannot run',
      [rule({ check: { kind: 'clause_required', pattern: '(?=x)' } })],
      'validation_failed',
      'rules.0.check.pattern',
    ],
    ['a clause check without a pattern', [rule({ check: { kind: 'clause_forbidden' } })], 'missing_fields', 'rules.0.check.pattern'],
    ['a predicate without a condition', [rule({ check: { kind: 'field_predicate' } })], 'missing_fields', 'rules.0.check.condition'],
    ['a rule twice', [rule(), rule({ version: 2 })], 'validation_failed', 'rules.1.rule_id'],
  ])('with %s is rejected', async (_what, rules, code, param) => {
    const { status, body } = await screen.post(PACKS, { name: 'Bad', jurisdiction: 'EU', rules });
    expect([status, body.error.code, body.error.param]).toEqual([400, code, param]);
  });

  it('can be listed, read and renamed, and its name is unique', async () => {
    const made = await pack([rule()]);
    expect((await screen.get(PACKS)).body.data).toEqual([made]);
    expect((await screen.patch(`${PACKS}/${made.id}`, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      version: 2,
      rules: made.rules,
    });
    expect((await screen.get(`${PACKS}/${made.id}`)).body.name).toBe('Renamed');
    expect((await screen.post(PACKS, { name: 'Renamed', jurisdiction: 'EU', rules: [] })).body.error.code).toBe('duplicate');
    const otherOwner = await (await app.workspace()).signIn();
    expect((await otherOwner.get(`${PACKS}/${made.id}`)).status).toBe(404);
  });

  it('requires the setup permission', async () => {
    const { email } = await space.member('member');
    const client = await space.signIn(email);
    expect([
      (await client.get(PACKS)).status,
      (await client.post(PACKS, { name: 'x', jurisdiction: 'x', rules: [] })).status,
      (await client.get(FINDINGS)).status,
    ]).toEqual([403, 403, 200]);
  });
});
