import { describe, expect, test } from '@jest/globals';
import { Lazy } from './lazy.js';

/** Loads by the given outcomes, one after the other. */
function loader(...outcomes: (() => Promise<string>)[]): { lazy: Lazy<string>; loads: () => number } {
  let loads = 0;
  return { lazy: new Lazy(() => outcomes[loads++]()), loads: () => loads };
}
const fails = () => Promise.reject(new Error('not now'));

describe('a lazy value', () => {
  test('is loaded when first needed, once for all who ask', async () => {
    const { lazy, loads } = loader(() => Promise.resolve('value'));
    expect([await lazy.ifLoaded(), loads()]).toEqual([undefined, 0]);
    expect(await Promise.all([lazy.get(), lazy.get(), lazy.ifLoaded()])).toEqual(['value', 'value', 'value']);
    expect([await lazy.get(), loads()]).toEqual(['value', 1]);
  });

  test.each([
    ['rejects', fails],
    [
      'throws',
      () => {
        throw new Error('not now');
      },
    ],
  ])('is loaded again after loading that %s', async (_, failure) => {
    const { lazy, loads } = loader(failure, () => Promise.resolve('value'));
    const first = await Promise.allSettled([lazy.get(), lazy.get()]);
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await lazy.ifLoaded()).toBeUndefined();
    expect([await lazy.get(), loads()]).toEqual(['value', 2]);
  });

  test('that is being loaded when it fails is none, and closing does not throw', async () => {
    const { lazy } = loader(fails);
    const asked = expect(lazy.get()).rejects.toThrow('not now');
    expect(await lazy.ifLoaded()).toBeUndefined();
    await asked;
  });
});
