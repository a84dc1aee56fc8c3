import { beforeEach, describe, expect, it } from '@jest/globals';
import { DispatcherBench, type Options } from '../../../../test/mcp/dispatcher-bench.js';
import type { Json } from '../protocol/protocol.js';

let bench: DispatcherBench;
const post = (body: unknown) => bench.post(body);
const legacy = (method: string, params?: Json, options?: Options) => bench.legacy(method, params, options);

beforeEach(() => {
  bench = new DispatcherBench();
});

describe('the log', () => {
  it.each([
    ['a misspelt argument', { name: 'create_note', arguments: { txt: 'x' } }, 'create_note', { status: 400, code: 'validation_failed' }],
    ['an argument of the path left out', { name: 'get_note' }, 'get_note', { status: 400, code: 'missing_fields' }],
    ['an unknown tool', { name: 'creat_note' }, 'creat_note', { status: 404, code: 'not_found' }],
    ['a name without end', { name: 'x'.repeat(5_000) }, 'x'.repeat(100), { status: 404, code: 'not_found' }],
    [
      'a guide that does not exist',
      { name: 'get_guide', arguments: { module: 'x' } },
      'get_guide',
      { status: 400, code: 'validation_failed' },
    ],
    ['arguments that are no object', { name: 'get_note', arguments: [] }, 'get_note', { status: 400, code: 'validation_failed' }],
  ])('says of %s which tool was refused, and why', async (_case, params, toolName, refusal) => {
    await legacy('tools/call', params);
    expect(bench.admitted).toEqual([expect.objectContaining({ toolName })]);
    expect(bench.refused).toEqual([refusal]);
  });

  it('says why a message was refused that names no tool', async () => {
    await post('{');
    await post({ id: 1, method: 'ping' });
    await legacy('prompts/list');
    await legacy('resources/read', { uri: 'guide://x' });
    await legacy('tools/list', undefined, { query: { modules: 'x' } });
    expect((bench.refused as { code: string }[]).map(({ code }) => code)).toEqual([
      'invalid_body',
      'invalid_body',
      'not_found',
      'not_found',
      'validation_failed',
    ]);
    expect(bench.admitted).toHaveLength(5);
  });

  it('names the tool that call_tool was to call', async () => {
    await legacy('tools/call', { name: 'call_tool', arguments: { name: 'no_such_tool' } }, { query: { mode: 'search' } });
    expect(bench.admitted).toEqual([expect.objectContaining({ toolName: 'no_such_tool' })]);
  });

  it('says nothing of what was done', async () => {
    await legacy('tools/call', { name: 'get_note', arguments: { note_id: '1' } });
    await legacy('tools/list');
    expect(bench.refused).toEqual([]);
  });
});
