import { describe, expect, it } from '@jest/globals';
import { answerOf, wholeText } from './answer.js';

const task = (title: string) => ({
  object: 'task',
  id: '1',
  key: 'ENG-1',
  title,
  description: null,
  status_group: 'started',
  label_ids: [],
  version: 1,
  created_at: '2026-11-22T00:00:00.000Z',
});
const page = (...data: object[]) => ({ object: 'list', data, has_more: true, next_cursor: 'abc' });

describe('answerOf', () => {
  it('leaves out empty and bookkeeping members of list items, and has a line of text per item', () => {
    expect(answerOf(page(task('Send'), task('Pay')), undefined)).toEqual({
      structured: page(
        { id: '1', key: 'ENG-1', title: 'Send', status_group: 'started' },
        { id: '1', key: 'ENG-1', title: 'Pay', status_group: 'started' },
      ),
      text: '2 items, more with cursor abc\nENG-1 | Send | started\nENG-1 | Pay | started',
    });
  });

  it('returns exactly the members that fields names, and id', () => {
    const { structured, text } = answerOf(page(task('Send')), ['version', 'description']);
    expect(structured).toEqual(page({ id: '1', description: null, version: 1 }));
    expect(text).toBe('1 item, more with cursor abc\nid: 1 | description: null | version: 1');
    expect(answerOf(task('Send'), ['title']).structured).toEqual({ id: '1', title: 'Send' });
    expect(answerOf(page(task('Send')), ['*']).structured).toEqual(page(task('Send')));
  });

  it('returns an object as it is, with a line of text per member that is not empty', () => {
    const body = { object: 'task', id: '1', due_on: null, labels: [], assignee: { id: '2', name: 'Ada' } };
    expect(answerOf(body, undefined)).toEqual({ structured: body, text: 'object: task\nid: 1\nassignee: {"id":"2","name":"Ada"}' });
  });

  it('shows what a handler returned as its JSON does', () => {
    const section = { has_more: false, data: [{ id: '1', name: 'Ada', created_at: new Date(0), left: undefined }] };
    const never = new Date(NaN);
    const half = { has_more: undefined };
    const value = { at: new Date(0), none: undefined, nan: NaN, never, call: () => 1, empty: { a: undefined }, half, section };
    expect(wholeText(value)).toBe(answerOf(JSON.parse(JSON.stringify(value)) as never, undefined).text);
    expect(wholeText(value)).toBe('at: 1970-01-01T00:00:00.000Z\nsection:\n1 item\nAda | 1');
    expect(wholeText(page(task('Send')))).toBeNull();
  });

  it('cuts long texts of list items, at any depth, and says how long they are; words and what fields names stay whole', () => {
    const long = `${'x'.repeat(119)}😀 ${'y'.repeat(100)}`;
    const url = `https://example.com/${'x'.repeat(200)}`;
    const cut = `${'x'.repeat(119)}... [222 characters]`;
    const item = { ...task(long), url, data: [{ note: long }] };
    const { structured, text } = answerOf(page(item), undefined);
    expect(structured['data']).toEqual([{ id: '1', key: 'ENG-1', title: cut, status_group: 'started', url, data: [{ note: cut }] }]);
    expect(text).toContain(`ENG-1 | ${cut} | started`);
    expect(answerOf(page(item), ['title', 'data']).structured).toEqual(page({ id: '1', title: long, data: [{ note: long }] }));
  });

  it('shortens texts of lines without cutting a character in half', () => {
    const { text } = answerOf(page(task(`${'x'.repeat(199)}😀`)), ['title']);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('x...');
  });
});
