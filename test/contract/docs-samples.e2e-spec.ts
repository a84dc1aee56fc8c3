import { afterAll, expect, test } from '@jest/globals';
import { documentedSamples, faultsOf, SampleRunner } from '../harness/docs-samples.js';
import { sharedApp } from '../harness/hosted-app.js';

const app = await sharedApp();
const { modules } = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();
const workspace = await app.workspace();
const runners: SampleRunner[] = [];
afterAll(() => runners.forEach((runner) => runner.close()));

/** What the document cannot say: members that are required in place of others, or depend on data. */
const UNTOLD = [
  'variants.0.currency is required, because the channels of the product do not have one currency',
  'payment_id or credit_note_id is required, and only one of them',
  'email or phone is required',
  'text or content_base64 is required, or a form with the field file',
];

test.each(modules.map(({ name, prefix }) => [name, prefix]))(
  'the samples of %s are executed',
  async (module, prefix) => {
    const { secret } = await workspace.key({ module, mode: 'test', rate_limit_per_minute: 10_000 });
    const runner = await SampleRunner.of(app.url, secret, {});
    runners.push(runner);
    // a stream has no end
    const samples = (await documentedSamples(app.url, prefix)).filter(({ curl }) => !/\/stream['?]/.test(curl));
    const faults = await faultsOf(samples, runner);
    expect(samples.length).toBeGreaterThan(0);
    expect(faults.filter((fault) => !UNTOLD.some((known) => fault.endsWith(known)))).toEqual([]);
  },
  120_000,
);
