import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { RequestLog } from '../../../src/platform/request-log/request-log.js';
import type { ApiResponse } from '../../harness/client.js';
import { expectAnswer } from './module-errors.js';
import { firstCalls } from './module-first-calls.js';
import type { KeyedRoute } from './module-routes.js';
import type { Subject } from './module-context.js';

/** Checks the response of a valid call, and that valid and invalid calls are logged. */
export function checkResponses(route: KeyedRoute, subject: () => Subject): void {
  test('responds to a valid call as documented', async () => {
    const it = subject();
    const { accepted: response } = await firstCalls(it);
    const body = response.text === '' ? undefined : (response.body as unknown);
    expect({
      status: response.status,
      faults: it.context.api.responseFaults(it.operation, response.status, body, response.headers['content-type']),
      text: response.text,
    }).toEqual({ status: route.endpoint.status, faults: [], text: response.text });
    expect(response.headers).toMatchObject({ 'request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/), 'svc-mode': 'live' });
    if (route.endpoint.list) expect(response.body).toMatchObject({ object: 'list', has_more: expect.any(Boolean) });
    const { version } = (response.body ?? {}) as { version?: number };
    if (version !== undefined) expect(response.headers.etag).toBe(`"${version}"`);
  });

  test('is logged, accepted or rejected', async () => {
    const it = subject();
    const { accepted, rejected } = await firstCalls(it);
    expectAnswer(accepted, route.endpoint.status, 'a valid call');
    const common = {
      organization_id: it.context.workspace.organizationId,
      mode: 'live',
      plane: 'keyed',
      via: 'http',
      tool: null,
      method: route.method,
      route: route.path,
      operation: route.endpoint.operation,
    };
    expect(await logOf(it, accepted)).toMatchObject({
      ...common,
      status: route.endpoint.status,
      code: null,
      api_key_id: expect.any(String),
    });
    expect(await logOf(it, rejected)).toMatchObject({ ...common, status: 400, code: 'validation_failed', api_key_id: expect.any(String) });
  });
}

/** Checks the response to a key of test mode, with a call that checks before have sent in vain. */
export function checkTestMode(route: KeyedRoute, subject: () => Subject): void {
  test('marks responses to a test key', async () => {
    const it = subject();
    const response = await it.send(it.context.location('the other mode').client, await it.context.lastCall(route, 'the other mode'));
    expectAnswer(response, route.endpoint.status, 'a call with a test key');
    expect(response.headers['svc-mode']).toBe('test');
  });
}

/** Waits for the log entry of a response: a request is logged after its response was sent. */
export async function logOf({ context: { app } }: Subject, response: ApiResponse): Promise<Record<string, unknown> | undefined> {
  for (let attempt = 0; ; attempt++) {
    await app.service<RequestLog>('RequestLog').flush();
    const { rows } = await app.sql.query<Record<string, unknown>>('SELECT * FROM request_logs WHERE request_id = $1', [
      response.headers['request-id'],
    ]);
    if (rows.length > 0 || attempt === 100) return rows[0];
    await pause(10);
  }
}
