import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { endRefusal, latestRefusal, noteRefusal, type Refusal } from './refusals.js';

/** Test files of a process share modules: what others have logged is long ago. */
const AHEAD_MS = 1 * 3_600_000;

let logged: string[];
beforeEach(() => {
  logged = [];
  const { timeOrigin } = performance;
  jest.spyOn(performance, 'now').mockImplementation(() => AHEAD_MS + Date.now() - timeOrigin);
  jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void logged.push(String(line)));
});
afterEach(() => void jest.restoreAllMocks());

test.each([
  ['25006', true],
  ['53000', true],
  ['53100', true],
  ['53200', true],
  ['53300', true],
  ['58030', true],
  ['58P01', true],
  ['53400', false],
  ['08006', false],
  ['08P01', false],
  ['28P01', false],
  ['28000', false],
  ['3D000', false],
  ['57P01', false],
  ['57P03', false],
])('%s is logged once in a while; it fails readiness: %s', (code, fails) => {
  for (let time = 0; time < 3; time++) noteRefusal({ code, message: 'no' });
  expect(logged).toEqual([`PostgreSQL refuses work with ${code}: no`]);
  expect(latestRefusal()?.code ?? null).toBe(fails ? code : null);
  if (fails) endRefusal(latestRefusal() as Refusal);
});

test.each(['23505', '40001', '42P01', '57014', '55P03', ''])('%j is no matter of an operator', (code) => {
  noteRefusal({ code, message: 'no' });
  expect([logged, latestRefusal()]).toEqual([[], null]);
});
