import { describe, expect, it } from '@jest/globals';
import { fixtureDocument } from '../../../test/mcp/fixture-openapi.js';
import { ByteLru } from './byte-lru.js';
import { SearchIndex } from './search-index.js';
import { buildCatalogue } from './tool-catalogue.js';

describe('SearchIndex', () => {
  const { tools } = buildCatalogue(fixtureDocument);
  const index = new SearchIndex(tools);
  const names = (query: string, limit = 3): string[] => index.search(query, new Set(tools), limit).map(({ name }) => name);

  it.each([
    ['delete a note', 'delete_note'],
    ['labels csv', 'export_labels'],
    ['MAIL', 'mail_labels'],
  ])('finds for "%s" the tool %s first', (query, expected) => {
    expect(names(query)[0]).toBe(expected);
  });

  it.each(['finish a note', 'note', 'close note', 'archive notes'])('puts no destructive tool first for "%s"', (query) => {
    expect(names(query)[0]).not.toBe('delete_note');
  });

  it('takes words in their usual forms, and general verbs for each other', () => {
    for (const query of ['renaming a note', 'edited notes', 'changes note']) expect(names(query)[0]).toBe('update_note');
    expect(names('removing notes')[0]).toBe('delete_note');
  });

  it('keeps to the limit and to words that occur', () => {
    expect(names('note', 2)).toHaveLength(2);
    expect(names('zebra')).toEqual([]);
    expect(names('!!')).toEqual([]);
  });
});

describe('ByteLru', () => {
  it('drops what was used longest ago when its bytes run out', () => {
    const lru = new ByteLru(10);
    lru.set('a', Buffer.alloc(4));
    lru.set('b', Buffer.alloc(4));
    lru.get('a');
    lru.set('c', Buffer.alloc(4));
    expect([lru.get('a')?.length, lru.get('b'), lru.get('c')?.length]).toEqual([4, undefined, 4]);
  });

  it('keeps what is larger than all of it until the next, and counts a replacement once', () => {
    const lru = new ByteLru(10);
    lru.set('a', Buffer.alloc(20));
    expect(lru.get('a')).toHaveLength(20);
    lru.set('b', Buffer.alloc(5));
    lru.set('b', Buffer.alloc(5));
    lru.set('c', Buffer.alloc(5));
    expect([lru.get('a'), lru.get('b')?.length, lru.get('c')?.length]).toEqual([undefined, 5, 5]);
  });
});
