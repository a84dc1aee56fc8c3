import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { RequestLog } from '../../src/platform/request-log/request-log.js';
import type { Answer } from './client.js';
import type { KeyedRoute } from './module-routes.js';
import type { Subject } from './module-world.js';

/** What a good call is answered with, and that it stands in the log like a bad one. */
export function checkAnswers(route: KeyedRoute, subject: () => Subject): void {
  test('answers a valid call as documented', async () => {
    const it = subject();
    const answer = await it.send(await it.world.keys.good(), await it.world.call(route));
    const body = answer.text === '' ? undefined : (answer.body as unknown);
    expect({
      status: answer.status,
      faults: it.world.api.answerFaults(it.operation, answer.status, body, answer.headers['content-type']),
      text: answer.text,
    }).toEqual({ status: route.endpoint.status, faults: [], text: answer.text });
    expect(answer.headers).toMatchObject({ 'request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/), 'svc-mode': 'live' });
    if (route.endpoint.list) expect(answer.body).toMatchObject({ object: 'list', has_more: expect.any(Boolean) });
    const { version } = (answer.body ?? {}) as { version?: number };
    if (version !== undefined) expect(answer.headers.etag).toBe(`"${version}"`);
  });

  test('marks what a test key is answered', async () => {
    const it = subject();
    const answer = await it.send(it.world.place('the other mode').client, await it.world.call(route, 'the other mode'));
    expect([answer.status, answer.headers['svc-mode']]).toEqual([route.endpoint.status, 'test']);
  });

  test('stands in the log, accepted and refused', async () => {
    const it = subject();
    const client = await it.world.keys.good();
    const accepted = await it.send(client, await it.world.call(route));
    const refused = await it.send(client, it.with(await it.world.sameCall(route), { query: 'no_such_parameter=1' }));
    const common = {
      organization_id: it.world.workspace.organizationId,
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
    expect(await logOf(it, refused)).toMatchObject({ ...common, status: 400, code: 'validation_failed', api_key_id: expect.any(String) });
  });
}

/** The log's row of an answer; a request is logged only after its answer has gone out. */
export async function logOf({ world: { app } }: Subject, answer: Answer): Promise<Record<string, unknown> | undefined> {
  for (let attempt = 0; ; attempt++) {
    await app.service<RequestLog>('RequestLog').flush();
    const { rows } = await app.sql.query<Record<string, unknown>>('SELECT * FROM request_logs WHERE request_id = $1', [
      answer.headers['request-id'],
    ]);
    if (rows.length > 0 || attempt === 100) return rows[0];
    await pause(10);
  }
}
