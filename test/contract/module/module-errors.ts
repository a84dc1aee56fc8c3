import { expect } from '@jest/globals';
import type { ApiResponse } from '../../harness/client.js';
import type { Subject } from './module-context.js';

export interface ExpectedError {
  status: number;
  code: string;
  param?: string;
}

/** The reasons why a response is not the expected error, including its envelope; each names the case, so that they can be collected. */
export function errorFaults(subject: Subject, what: string, response: ApiResponse, expected: ExpectedError): string[] {
  const faults: string[] = [];
  const { error } = (response.body ?? {}) as { error?: { code: string; param?: string; request_id: string; doc_url: string } };
  const got = `${response.status} ${error?.code}${expected.param === undefined ? '' : ` param ${error?.param}`}`;
  const wanted = `${expected.status} ${expected.code}${expected.param === undefined ? '' : ` param ${expected.param}`}`;
  if (got !== wanted) faults.push(`${what}: ${got} instead of ${wanted} (${response.text.slice(0, 300)})`);
  if (!error) return faults;
  faults.push(...subject.context.api.responseFaults(subject.operation, response.status, response.body).map((fault) => `${what}: ${fault}`));
  if (error.request_id !== response.headers['request-id']) faults.push(`${what}: request_id ${error.request_id} is not the header's`);
  // with the module's name if the code has other meanings elsewhere
  const anchor = error.doc_url.split('/docs/errors#')[1] ?? '';
  if (anchor !== error.code && !anchor.startsWith(`${error.code}-`)) faults.push(`${what}: doc_url ${error.doc_url}`);
  return faults;
}

export function expectError(subject: Subject, what: string, response: ApiResponse, expected: ExpectedError): void {
  expect(errorFaults(subject, what, response, expected)).toEqual([]);
}

/** An error without the members that differ between calls. */
export function comparable(error: Record<string, unknown>): Record<string, unknown> {
  const { request_id: _, ...rest } = error;
  return rest;
}
