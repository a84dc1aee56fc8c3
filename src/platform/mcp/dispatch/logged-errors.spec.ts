import { beforeEach, describe, expect, it } from '@jest/globals';
import { DispatcherHarness, type Options } from '../../../../test/mcp/dispatcher-harness.js';
import type { Json } from '../protocol/protocol.js';

let harness: DispatcherHarness;
const post = (body: unknown) => harness.post(body);
const legacy = (method: string, params?: Json, options?: Options) => harness.legacy(method, params, options);

beforeEach(() => {
  harness = new DispatcherHarness();
});

describe('the request log', () => {
  it.each([
    ['a misspelled argument', { name: 'create_note', arguments: { txt: 'x' } }, 'create_note', { status: 400, code: 'validation_failed' }],
    ['a missing argument of the path', { name: 'get_note' }, 'get_note', { status: 400, code: 'missing_fields' }],
    ['an unknown tool', { name: 'creat_note' }, '(unknown)', { status: 404, code: 'not_found' }],
    ['a secret in place of a name', { name: 'svc_live_abc' }, '(unknown)', { status: 404, code: 'not_found' }],
    [
      'a guide that does not exist',
      { name: 'get_guide', arguments: { module: 'x' } },
      'get_guide',
      { status: 400, code: 'validation_failed' },
    ],
    ['arguments that are not an object', { name: 'get_note', arguments: [] }, 'get_note', { status: 400, code: 'validation_failed' }],
  ])('has the tool and the error of a call with %s', async (_case, params, toolName, error) => {
    await legacy('tools/call', params);
    expect(harness.admitted).toEqual([expect.objectContaining({ toolName })]);
    expect(harness.loggedErrors).toEqual([error]);
  });

  it('has the error of a message that names no tool', async () => {
    await post('{');
    await post({ id: 1, method: 'ping' });
    await legacy('prompts/list');
    await legacy('resources/read', { uri: 'guide://x' });
    await legacy('tools/list', undefined, { query: { modules: 'x' } });
    expect((harness.loggedErrors as { code: string }[]).map(({ code }) => code)).toEqual([
      'invalid_body',
      'invalid_body',
      'not_found',
      'not_found',
      'validation_failed',
    ]);
    expect(harness.admitted).toHaveLength(5);
  });

  it('has the name of the tool that call_tool calls', async () => {
    await legacy('tools/call', { name: 'call_tool', arguments: { name: 'get_note' } }, { query: { mode: 'search' } });
    expect(harness.admitted).toEqual([expect.objectContaining({ toolName: 'get_note' })]);
  });

  it('has no error after a success', async () => {
    await legacy('tools/call', { name: 'get_note', arguments: { note_id: '1' } });
    await legacy('tools/list');
    expect(harness.loggedErrors).toEqual([]);
  });
});
