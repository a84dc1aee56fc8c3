import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { noteLostConnection } from '../../persistence/database/refusals.js';
import { asDomainError, type FailedRequest } from './error-envelope.js';

let logged: string[];
beforeEach(() => {
  logged = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void logged.push(String(line)));
});
afterEach(() => void jest.restoreAllMocks());

const request = {
  method: 'POST',
  state: { requestId: 'req_1', route: { path: '/api/v1/ext/tasks/tasks' }, organizationId: 'org-1' },
} as unknown as FailedRequest;

function databaseError(code: string, message: string, more: Partial<pg.DatabaseError> = {}): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, ...more });
}

test.each([
  ['of a column', databaseError('42703', 'column t.colour does not exist'), '42703', 'column t.colour does not exist'],
  ['of a value', databaseError('22P02', 'invalid input syntax for type uuid: "ada@example.com"'), '22P02', 'a value is refused'],
  [
    'of a constraint',
    databaseError('23505', 'duplicate key', { detail: 'Key (email)=(ada@example.com) already exists.', constraint: 'people_email_key' }),
    '23505',
    'constraint people_email_key',
  ],
  [
    'of TypeORM',
    new QueryFailedError('SELECT $1', ['ada@example.com'], databaseError('22001', 'value too long: ada@example.com')),
    '22001',
    'a value is refused',
  ],
  ['of code', new TypeError('x is not a function'), 'none', 'TypeError: x is not a function'],
])('an unexpected error %s is a 500, logged with its request and without values', (_, error, sqlstate, text) => {
  expect(asDomainError(error, request).spec.code).toBe('internal_error');
  expect(logged).toEqual([
    expect.stringMatching(
      new RegExp(`^request req_1, route POST /api/v1/ext/tasks/tasks, organization org-1, SQLSTATE ${sqlstate}: .*${text}[^]*\\n +at `),
    ),
  ]);
  expect(logged[0]).not.toContain('ada@');
});

test.each(['53100', '53200', '53300', '25006', '57P01', '57P03', '08006', '08P01', '28P01', '3D000', '58030'])(
  'the outage %s is a 503 wherever it comes from, and no unexpected error',
  (code) => {
    const error = databaseError(code, 'refused');
    for (const thrown of [error, new QueryFailedError('SELECT 1', [], error)])
      expect(asDomainError(thrown, request).spec).toMatchObject({ status: 503, code: 'unavailable' });
    expect(logged).toEqual([]);
  },
);

// with a fault that no other test of this process logs: each is logged once in ten seconds
test('a refused connection is an outage of the database if it is one to the database, and otherwise an unexpected error', () => {
  const refused = () => Object.assign(new Error('connect EHOSTUNREACH 127.0.0.1:9'), { code: 'EHOSTUNREACH' });
  const ofDatabase = refused();
  noteLostConnection(ofDatabase);
  for (const thrown of [ofDatabase, new QueryFailedError('SELECT 1', [], ofDatabase)])
    expect(asDomainError(thrown, request).spec.code).toBe('unavailable');
  expect(logged).toEqual(['The connection to PostgreSQL failed: EHOSTUNREACH connect EHOSTUNREACH 127.0.0.1:9']);
  expect(asDomainError(refused(), request).spec.code).toBe('internal_error');
  expect(logged[1]).toContain('request req_1');
  expect(logged[1]).toContain('connect EHOSTUNREACH');
});
