import { describe, expect, it } from '@jest/globals';
import { searchQuery } from './search-query.js';

describe('a search', () => {
  it.each([
    ['ENG-4', "('eng' <-> '4':*)"],
    ['log in', "('log':*) & ('in':*) | ('login':*)"],
    ['log-in', "(('log' <-> 'in':*) | ('login':*))"],
    ['Login', "(('login':*) | ('lo' <-> 'gin') | ('log' <-> 'in'))"],
    ['go on to', "('go':*) & ('on':*) & ('to':*) | ('goon':*) & ('to':*) | ('go':*) & ('onto':*)"],
    ['a b c d e', "('a':*) & ('b':*) & ('c':*) & ('d':*) & ('e':*)"],
    ['-', "'\u0001'"],
  ])('for %j is %s', (text, query) => expect(searchQuery(text)).toBe(query));
});
