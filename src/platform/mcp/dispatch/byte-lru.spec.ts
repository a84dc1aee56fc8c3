import { describe, expect, it } from '@jest/globals';
import { ByteLru } from './byte-lru.js';

describe('ByteLru', () => {
  it('drops the least recently used entry when the limit is exceeded', () => {
    const lru = new ByteLru(10);
    lru.set('a', Buffer.alloc(4));
    lru.set('b', Buffer.alloc(4));
    lru.get('a');
    lru.set('c', Buffer.alloc(4));
    expect([lru.get('a')?.length, lru.get('b'), lru.get('c')?.length]).toEqual([4, undefined, 4]);
  });

  it('keeps an entry above the limit until the next one is set, and counts a replacement once', () => {
    const lru = new ByteLru(10);
    lru.set('a', Buffer.alloc(20));
    expect(lru.get('a')).toHaveLength(20);
    lru.set('b', Buffer.alloc(5));
    lru.set('b', Buffer.alloc(5));
    lru.set('c', Buffer.alloc(5));
    expect([lru.get('a'), lru.get('b')?.length, lru.get('c')?.length]).toEqual([undefined, 5, 5]);
  });
});
