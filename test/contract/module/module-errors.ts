import { expect } from '@jest/globals';
import type { ApiResponse } from '../../harness/client.js';
import { isObject } from '../../../src/kit/index.js';
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

/** Throws unless the answer has the status that the next lines of a check need: status, code and cause stand first in the message. */
export function expectAnswer({ status, body, text }: Pick<ApiResponse, 'status' | 'body' | 'text'>, expected: number, what: string): void {
  if (status === expected) return;
  const { error } = (isObject(body) ? body : {}) as { error?: { code?: string; cause?: { name: string; message: string } } };
  const cause = error?.cause ? ` (${error.cause.name}: ${error.cause.message})` : '';
  throw new Error(`${what}: ${status} ${error?.code ?? 'no error code'}${cause} instead of ${expected}: ${(text ?? '').slice(0, 500)}`);
}

/** Runs a part of a check. What it throws is a fault beside the others, which it would hide otherwise. */
export async function collected(faults: string[], part: () => Promise<void>): Promise<void> {
  try {
    await part();
  } catch (error) {
    faults.push((error as Error).message);
  }
}

const SHOWN = 160;

/** What two texts have at the first place where they differ; null if they do not. */
export function firstDifference(one: string, other: string): [string, string] | null {
  if (one === other) return null;
  const at = [...one].findIndex((character, index) => character !== other[index]);
  const from = Math.max(0, (at === -1 ? one.length : at) - 60);
  return [one.slice(from, from + SHOWN), other.slice(from, from + SHOWN)];
}

/** An error without the members that differ between calls. */
export function comparable(error: Record<string, unknown>): Record<string, unknown> {
  const { request_id: _, ...rest } = error;
  return rest;
}
