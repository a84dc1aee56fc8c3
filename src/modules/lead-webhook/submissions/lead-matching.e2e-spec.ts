import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import type { LeadSubmissions } from './lead-submissions.service.js';

/** A submission with numbers for the values of a person; `style` selects their spelling. */
interface Submission {
  external_id?: number;
  email?: number;
  phone?: number;
  update: boolean;
  style: number;
}

/** A model of matching: a list that is searched from the oldest lead. */
interface NaiveLead {
  external_id?: number;
  email?: number;
  phone?: number;
  count: number;
}

const BY = ['external_id', 'email', 'phone'] as const;

function naive(leads: NaiveLead[], { update, style: _, ...given }: Submission) {
  const hits = BY.map((by) => ({ by, leads: leads.filter((lead) => given[by] !== undefined && lead[by] === given[by]) })).filter(
    (hit) => hit.leads.length > 0,
  );
  if (hits.length === 0) {
    leads.push({ ...given, count: 1 });
    return { index: leads.length - 1, result: 'created', matched_by: null, count: 1, ambiguous: false };
  }
  const [lead] = hits[0].leads;
  const ambiguous = new Set(hits.flatMap((hit) => hit.leads)).size > 1;
  lead.count++;
  if (update) Object.assign(lead, given);
  return { index: leads.indexOf(lead), result: update ? 'updated' : 'matched', matched_by: hits[0].by, count: lead.count, ambiguous };
}

const app = await sharedApp();
let space: Workspace;
let runs = 0;

beforeAll(async () => {
  space = await app.workspace();
});

function bodyOf({ external_id, email, phone, update, style }: Submission, run: number) {
  const address = `p${email}@Run${run}.example`;
  const digits = `30${String(run).padStart(4, '0')}${10 + (phone ?? 0)}`;
  return {
    project_id: space.eng.id,
    full_name: 'Model Person',
    update_if_exists: update,
    ...(external_id === undefined ? {} : { external_id: style % 2 ? ` x${external_id}-${run} ` : `x${external_id}-${run}` }),
    ...(email === undefined ? {} : { email: [address, address.toUpperCase(), ` ${address} `][style % 3] }),
    ...(phone === undefined
      ? {}
      : {
          phone: [`+49${digits}`, `0049 ${digits.slice(0, 2)} ${digits.slice(2)}`, `0${digits.slice(0, 2)}/${digits.slice(2)}`][style % 3],
        }),
  };
}

describe('matching', () => {
  it('behaves like the model for any sequence of submissions', async () => {
    await app.sql.query(`UPDATE crm_settings SET default_country = 'DE' WHERE project_id = $1`, [space.eng.id]);
    await app.sql.query(
      `INSERT INTO crm_settings (id, organization_id, project_id, default_country)
       SELECT gen_random_uuid(), $1, $2, 'DE' WHERE NOT EXISTS (SELECT 1 FROM crm_settings WHERE project_id = $2)`,
      [space.organizationId, space.eng.id],
    );
    const submissions = app.service<LeadSubmissions>('LeadSubmissions');
    const value = fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined });
    const submission = fc
      .record({ external_id: value, email: value, phone: value, update: fc.boolean(), style: fc.nat(5) })
      .filter(({ email, phone }) => email !== undefined || phone !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(submission, { minLength: 1, maxLength: 15 }), async (sequence) => {
        const run = ++runs;
        const model: NaiveLead[] = [];
        const ids: string[] = [];
        for (const one of sequence) {
          const expected = naive(
            model,
            Object.fromEntries(Object.entries(one).filter(([, given]) => given !== undefined)) as unknown as Submission,
          );
          const outcome = await submissions.submit(space.ctx(), bodyOf(one, run));
          if (expected.result === 'created') ids.push(outcome.lead.id);
          expect({
            index: ids.indexOf(outcome.lead.id),
            result: outcome.result,
            matched_by: outcome.matched_by,
            count: outcome.lead.submission_count,
            ambiguous: outcome.ambiguous ?? false,
          }).toEqual(expected);
        }
        expect(new Set(ids).size).toBe(model.length);
      }),
      { numRuns: 25 },
    );
  });
});
