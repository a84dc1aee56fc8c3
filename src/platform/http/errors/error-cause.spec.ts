import { expect, test } from '@jest/globals';
import pg from 'pg';
import { CommonErrors } from '../../../kit/index.js';
import { causeOf } from './error-cause.js';

function failed(cause: Error, ...frames: string[]) {
  cause.stack = [`${cause.name}: ${cause.message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return CommonErrors.internalError({ cause });
}

test('the cause names the first line of a module, from source, a build or a bundle with source maps', () => {
  const platform = 'run (file:///app/src/platform/persistence/rows/reader.ts:160:11)';
  const library = 'Pool.query (file:///app/node_modules/pg/src/index.js:1:2)';
  for (const frame of ['/app/src/modules/fleet/trips.service.ts:41:7', '/app/dist/src/modules/fleet/trips.service.ts:41:7'])
    expect(
      causeOf(failed(new TypeError('x is not a function'), library, platform, `Trips.create (file://${frame})`), 'development'),
    ).toEqual({
      name: 'TypeError',
      message: 'x is not a function',
      at: 'src/modules/fleet/trips.service.ts:41:7',
    });
  expect(causeOf(failed(new Error('one\ntwo'), library, platform), 'test')).toEqual({
    name: 'Error',
    message: 'one\ntwo',
    at: 'src/platform/persistence/rows/reader.ts:160:11',
  });
  expect(causeOf(failed(new Error('nowhere')), 'test')?.at).toBeNull();
});

test('the cause contains no values and no credentials', () => {
  const refused = new pg.DatabaseError('invalid input syntax for type uuid: "ada@example.com"', 10, 'error');
  refused.code = '22P02';
  expect(causeOf(failed(refused), 'test')?.message).toBe('a value is refused');
  const connected = failed(new Error('cannot reach https://user:secret@example.com/path'));
  expect(causeOf(connected, 'development')?.message).toBe('cannot reach https://example.com/path');
  expect(causeOf(CommonErrors.unavailable({ cause: refused }), 'test')).toBeNull();
});

test('there is no cause in production', () => {
  expect(causeOf(failed(new Error('of the service'), 'a (file:///app/src/modules/fleet/a.ts:1:2)'), 'production')).toBeNull();
});
