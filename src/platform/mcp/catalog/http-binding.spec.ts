import { describe, expect, it } from '@jest/globals';
import { fixtureDocument } from '../../../../test/mcp/fixture-openapi.js';
import { toHttpRequest, type HttpBinding, type HttpRequest } from './http-binding.js';
import { parseJson } from '../../http/validation/parse-json.js';
import type { Json } from '../protocol/protocol.js';
import { buildCatalog } from './tool-catalog.js';

const catalog = buildCatalog(fixtureDocument);
const request = (tool: string, args: Json): HttpRequest => toHttpRequest(catalog.byName.get(tool)?.binding as HttpBinding, args);

describe('toHttpRequest', () => {
  it('puts every argument in its part of the request', () => {
    expect(request('update_note', { note_id: 'a/b', idempotency_key: 'k 1', if_match: 3, text: null })).toEqual({
      method: 'PATCH',
      url: '/api/v1/ext/notes/a%2Fb',
      headers: { 'idempotency-key': 'k 1', 'if-match': '"3"', 'content-type': 'application/merge-patch+json' },
      body: '{"text":null}',
    });
    expect(request('list_notes', { limit: 5, label: ['a', 'b c'], state: ['open', 'done'] }).url).toBe(
      '/api/v1/ext/notes?limit=5&label=a%2Cb%20c&state=open&state=done',
    );
    expect(request('replace_labels', { body: ['x'] })).toMatchObject({ body: '["x"]', headers: { 'content-type': 'application/json' } });
  });

  it('sends the body a route requires even when no argument fills it', () => {
    expect(request('create_note', {}).body).toBe('{}');
    expect(request('list_notes', {})).toEqual({ method: 'GET', url: '/api/v1/ext/notes', headers: {}, body: undefined });
  });

  it('keeps an argument that is already an entity tag', () => {
    expect(request('update_note', { note_id: '1', if_match: '"7"' }).headers['if-match']).toBe('"7"');
    expect(request('update_note', { note_id: '1', if_match: '*' }).headers['if-match']).toBe('*');
  });

  it.each([[{}], [{ note_id: null }], [{ note_id: '' }]])('rejects a path without its identifier: %j', (args) => {
    expect(() => request('get_note', args)).toThrow('note_id is required');
  });

  it.each([[{}], [['1']]])('rejects what is no identifier: %j', (note_id) => {
    expect(() => request('get_note', { note_id })).toThrow('note_id must be an identifier');
  });

  it.each([
    ['..', '..'],
    ['a/b c%2F?#', 'a%2Fb%20c%252F%3F%23'],
  ])('an SKU or a number can be %s: the router resolves no dots', (note_id, segment) => {
    expect(request('get_note', { note_id }).url).toBe(`/api/v1/ext/notes/${segment}`);
  });

  it('rejects characters that a header or URL cannot carry', () => {
    expect(() => request('create_note', { text: 'x', idempotency_key: 'a\r\nb: c' })).toThrow('printable ASCII');
    expect(() => request('get_note', { note_id: '\ud800' })).toThrow('well-formed Unicode');
  });

  it('keeps how a whole number was written, also inside an object without a schema', () => {
    const args = parseJson('{"text":"x","custom_fields":{"fee":120.00,"rows":[1,2e1],"count":3}}') as Json;
    expect(request('create_note', args).body).toBe('{"text":"x","custom_fields":{"fee":120.00,"rows":[1,2e1],"count":3}}');
  });

  it('rejects nesting that JSON.stringify cannot serialize', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    expect(() => request('create_note', { text: 'x', custom_fields: deep })).toThrow('nested too deeply');
  });
});
