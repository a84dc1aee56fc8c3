import { expect } from '@jest/globals';
import type { Answer } from './client.js';
import type { Subject } from './module-world.js';

export interface Refusal {
  status: number;
  code: string;
  param?: string;
}

/** Everything a refusal must be beside its status and code; faults are worded with the case, so that they can be collected. */
export function refusalFaults(subject: Subject, what: string, answer: Answer, expected: Refusal): string[] {
  const faults: string[] = [];
  const { error } = (answer.body ?? {}) as { error?: { code: string; param?: string; request_id: string; doc_url: string } };
  const got = `${answer.status} ${error?.code}${expected.param === undefined ? '' : ` param ${error?.param}`}`;
  const wanted = `${expected.status} ${expected.code}${expected.param === undefined ? '' : ` param ${expected.param}`}`;
  if (got !== wanted) faults.push(`${what}: ${got} instead of ${wanted} (${answer.text.slice(0, 300)})`);
  if (!error) return faults;
  faults.push(...subject.world.api.answerFaults(subject.operation, answer.status, answer.body).map((fault) => `${what}: ${fault}`));
  if (error.request_id !== answer.headers['request-id']) faults.push(`${what}: request_id ${error.request_id} is not the header's`);
  if (!error.doc_url.endsWith(`/docs/errors#${error.code}`)) faults.push(`${what}: doc_url ${error.doc_url}`);
  return faults;
}

export function expectRefusal(subject: Subject, what: string, answer: Answer, expected: Refusal): void {
  expect(refusalFaults(subject, what, answer, expected)).toEqual([]);
}

/** An error without what differs from call to call. */
export function comparable(error: Record<string, unknown>): Record<string, unknown> {
  const { request_id: _, ...rest } = error;
  return rest;
}
